// WorkLimit: a deadline and a cancel flag for work outside of kernels: loading, lowering, long copies. The working code
// calls spent() at least every millisecond. If spent() is true, the code ends with TSP-L0002.
//
// Copies are equivalent: they hold a point in time and a pointer to the caller's flag.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

namespace transpire {

class WorkLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// The reason to end the work; kNone while it may go on.
  enum class End : unsigned char { kNone, kTime, kCancelled };

  /// No limit: never spent.
  WorkLimit() = default;
  /// `cancelled` may be null. Any thread may set the flag. Its owner keeps it alive longer than the limit.
  explicit WorkLimit(std::optional<Clock::time_point> deadline,
                     const std::atomic<bool>* cancelled = nullptr)
      : deadline_(deadline), cancelled_(cancelled) {}

  /// A limit that ends `seconds` from now. There is no deadline if `seconds` is 0, negative, or above 10^9.
  static WorkLimit after(double seconds, const std::atomic<bool>* cancelled = nullptr) {
    constexpr double kNever = 1e9;
    if (!(seconds > 0) || seconds > kNever) return WorkLimit(std::nullopt, cancelled);
    const auto wait =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    return WorkLimit(Clock::now() + wait, cancelled);
  }

  /// True if there is a deadline or a flag. A loop without limits need not read the clock.
  bool limited() const { return deadline_.has_value() || cancelled_ != nullptr; }

  /// Reads the flag, then the clock. Takes some 30 ns.
  End end() const {
    if (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed))
      return End::kCancelled;
    return deadline_ && Clock::now() >= *deadline_ ? End::kTime : End::kNone;
  }
  /// Seconds until the deadline, at least 1e-9; 0 if there is none.
  double seconds_left() const {
    if (!deadline_) return 0;
    return std::max(std::chrono::duration<double>(*deadline_ - Clock::now()).count(), 1e-9);
  }
  bool spent() const { return end() != End::kNone; }

 private:
  std::optional<Clock::time_point> deadline_;
  const std::atomic<bool>* cancelled_ = nullptr;
};

}  // namespace transpire
