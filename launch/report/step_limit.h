// StepLimit: a limit for parts of a run other than launches: making buffers, printing, comparing. Loops over large data check
// it with a Pacer, which throws LimitReached at the limit. within_limit() turns that into a diagnostic.
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

/// Limits for making a value: bytes and time.
struct Allowance {
  Allowance(std::uint64_t bytes, StepLimit until = {})  // NOLINT: a number of bytes is one
      : max_bytes(bytes), limit(std::move(until)) {}
  std::uint64_t max_bytes;
  StepLimit limit;

  ReadLimit reading() const { return {limit.time, max_bytes}; }
  /// The limits that remain after `bytes` bytes were used.
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
  /// `limit` must outlive the pacer.
  explicit Pacer(const StepLimit& limit) : limit_(limit) {}

  /// Counts `steps` steps of work, some 100 ns each. Checks the limit every kSteps steps.
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

/// Bytes that are moved or made between two checks of a limit.
inline constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 18;

/// Calls `body`, which returns a Result. If it reaches a limit, returns the error "... while 'y' was printed"; `doing` is
/// "'y' was printed".
template <class Body>
auto within_limit(std::string_view doing, const Body& body) -> decltype(body()) {
  try {
    return body();
  } catch (const LimitReached& reached) {
    return limit_reached(reached.why, doing);
  }
}

}  // namespace transpire::launch
