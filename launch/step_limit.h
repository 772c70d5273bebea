// StepLimit: until when a part of a run may go on that is no launch, as making a buffer, printing and comparing. Loops over what
// may be large ask it by a Pacer, which throws where the time is over; within_limit() makes a diagnostic of that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/input_file.h"
#include "base/result.h"
#include "base/work_limit.h"

namespace transpire::launch {

struct StepLimit {
  WorkLimit time{};
  std::function<bool()> interrupted{};  ///< true: the caller wants the end; may be empty

  bool limited() const { return time.limited() || interrupted != nullptr; }
  WorkLimit::End end() const {
    return interrupted && interrupted() ? WorkLimit::End::kCancelled : time.end();
  }
};

/// The limits on making a value.
struct Allowance {
  Allowance(std::uint64_t bytes, StepLimit until = {})  // NOLINT: a number of bytes is one
      : max_bytes(bytes), limit(std::move(until)) {}
  std::uint64_t max_bytes;
  StepLimit limit;

  ReadLimit reading() const { return {limit.time, max_bytes}; }
  /// The limits that remain beside so many bytes.
  Allowance beside(std::uint64_t bytes) const {
    return {max_bytes - std::min(max_bytes, bytes), limit};
  }
};

/// Thrown where a limit is reached.
struct LimitReached {
  WorkLimit::End why;
};

class Pacer {
 public:
  /// `limit` outlives it.
  explicit Pacer(const StepLimit& limit) : limit_(limit) {}

  /// Has done so many things that take some 100 nanoseconds each.
  void step(std::uint64_t steps = 1) {
    if (steps < left_)
      left_ -= steps;
    else
      look();
  }
  void look() {
    left_ = kSteps;
    if (const WorkLimit::End why = limit_.end(); why != WorkLimit::End::kNone)
      throw LimitReached{why};
  }

 private:
  static constexpr std::uint64_t kSteps = 4096;
  const StepLimit& limit_;
  std::uint64_t left_ = kSteps;
};

/// Bytes that are moved or made between two looks at a limit.
inline constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 18;

/// Runs what gives a Result; a limit that it reached is an error of it, "... while 'y' was printed".
template <class Body>
auto within_limit(std::string_view doing, const Body& body) -> decltype(body()) {
  try {
    return body();
  } catch (const LimitReached& reached) {
    return limit_reached(reached.why, doing);
  }
}

}  // namespace transpire::launch
