// WorkLimit: until when work may go on that is not the kernel's own: loading, lowering, long
// copies. Whoever works asks `spent()` at least every millisecond and ends, with TSP-L0002, when it
// says so.
//
// A copy is as good as the original: it holds a point in time and a pointer to the caller's flag.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

namespace transpire {

class WorkLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// Why work ends; kNone while it may go on.
  enum class End : unsigned char { kNone, kTime, kCancelled };

  /// None: never spent.
  WorkLimit() = default;
  /// `cancelled` may be null; who owns it may set it from any thread, and keeps it alive.
  explicit WorkLimit(std::optional<Clock::time_point> deadline,
                     const std::atomic<bool>* cancelled = nullptr)
      : deadline_(deadline), cancelled_(cancelled) {}

  /// `seconds` from now; 0 or less: no deadline, and neither for what is too far away to count.
  static WorkLimit after(double seconds, const std::atomic<bool>* cancelled = nullptr) {
    constexpr double kNever = 1e9;
    if (!(seconds > 0) || seconds > kNever) return WorkLimit(std::nullopt, cancelled);
    const auto wait =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    return WorkLimit(Clock::now() + wait, cancelled);
  }

  /// Whether there is anything to ask: lets a loop without limits skip the clock.
  bool limited() const { return deadline_.has_value() || cancelled_ != nullptr; }

  /// Reads the flag, then the clock: some 30 ns.
  End end() const {
    if (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed))
      return End::kCancelled;
    return deadline_ && Clock::now() >= *deadline_ ? End::kTime : End::kNone;
  }
  /// Never less than a nanosecond, for 0 would mean that there is no limit; 0 where there is none.
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
