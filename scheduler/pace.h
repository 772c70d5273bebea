// Pace: decides how many steps a part's next turn has. Turns are short while the part's loop busy-waits, and become longer the
// longer it does not.
//
// A part busy-waits if it returns to a state that it was in before. A part that does some work before each wait, for instance
// passes a lock on, is in a new state at the end of every turn. Therefore a long turn, and one before turns become longer, ends with
// a few short turns (looks). A part that has begun to wait repeats its state within these.
#pragma once

#include <algorithm>
#include <cstdint>

#include "scheduler/cycle_detector.h"

namespace transpire::scheduler {

class Pace {
 public:
  /// kUnknown: the turn has not ended; the part must run for steps() more.
  enum class Activity : std::uint8_t { kWaits, kRuns, kUnknown };
  /// Length of the longest turn, in steps.
  static constexpr std::uint64_t kLongest = std::uint64_t{1} << 20;

  Pace() = default;
  /// For a new part. `shortest`: steps of its shortest turn.
  explicit Pace(std::uint64_t shortest) : shortest_(shortest), turn_(shortest) {}

  /// Steps that the part may run before the next call of stopped().
  std::uint64_t steps() const { return looks_ != 0 ? shortest_ : turn_; }
  /// Turns since the part was made, left its loop, or waited.
  std::uint64_t turns() const { return turns_; }

  /// The part was stopped in a loop after steps() steps. `state` is a digest of its state, or 0 if it is unknown.
  Activity stopped(std::uint64_t state) {
    if (looks_ != 0) {
      if (state != 0 && near_.sees(state)) {
        states_ = near_;
        return wait();
      }
      if (--looks_ != 0) return Activity::kUnknown;
      if (is_last_of_length()) turn_ = std::min(turn_ * 2, kLongest);
      return Activity::kRuns;
    }
    if (state != 0 && (states_.sees(state) || states_.repeats())) return wait();
    ++turns_;
    if (is_last_of_length())
      looks_ = kLooks;
    else if (turn_ >= shortest_ * kLong)
      looks_ = kFewLooks;
    if (looks_ == 0) return Activity::kRuns;
    near_ = {};
    near_.sees(state);
    return Activity::kUnknown;
  }

  /// The part ended or came to a barrier.
  void left_loop() { turns_ = looks_ = 0; }
  /// Work-items were split off from the part, so earlier states say nothing any more.
  void changed() {
    left_loop();
    states_ = {};
  }

 private:
  /// The fewest and the most turns of one length. An inner loop may stand elsewhere after each turn, and needs several to return to
  /// where it stood.
  static constexpr std::uint64_t kFewestTurns = 64, kMostTurns = 1024;
  /// Number of looks before turns become longer, and number of looks at the end of any other long turn. A turn is long if it has at least
  /// kLong times the steps of the shortest one.
  static constexpr std::uint64_t kLooks = 64, kFewLooks = 4, kLong = 32;

  bool is_last_of_length() const {
    return turns_ % std::clamp(kLongest / turn_, kFewestTurns, kMostTurns) == 0;
  }
  Activity wait() {
    turn_ = shortest_;
    turns_ = looks_ = 0;
    return Activity::kWaits;
  }

  std::uint64_t shortest_ = 1, turn_ = 1, turns_ = 0;
  std::uint64_t looks_ = 0;  ///< looks that are left at the end of this turn
  CycleDetector states_;     ///< states at the ends of turns
  CycleDetector near_;       ///< states at the looks of the last turn
};

}  // namespace transpire::scheduler
