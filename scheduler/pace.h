// How long the turns of a part are: short ones while its loop waits, and longer ones the longer it does not.
//
// A part waits where it is back in a state that it was in. Where it does something each time before it waits, as one that hands a
// lock on does, it never is: from the end of one turn to that of the next it got further. So a turn that is long, or is to become
// longer, ends with some short ones, in which a part that has come to wait is seen to do so.
#pragma once

#include <algorithm>
#include <cstdint>

#include "scheduler/cycle.h"

namespace transpire::scheduler {

class Pace {
 public:
  enum class What : std::uint8_t { kWaits, kRuns, kUnknown };
  /// Steps of the longest turn.
  static constexpr std::uint64_t kLongest = std::uint64_t{1} << 20;

  Pace() = default;
  /// Of a part that is new, whose turns may have so many steps at least.
  explicit Pace(std::uint64_t shortest) : shortest_(shortest), turn_(shortest) {}

  /// Of what it is given next, until `stopped` is asked again.
  std::uint64_t steps() const { return looks_ != 0 ? shortest_ : turn_; }
  /// Turns since it was made, ended, came from a barrier or waited.
  std::uint64_t turns() const { return turns_; }

  /// Its loop was stopped in this state, which is 0 where nobody can tell. Where it is not known whether it waits, its turn goes on.
  What stopped(std::uint64_t state) {
    if (looks_ != 0) {
      if (state != 0 && near_.sees(state)) {
        states_ = near_;
        return wait();
      }
      if (--looks_ != 0) return What::kUnknown;
      if (is_last_of_length()) turn_ = std::min(turn_ * 2, kLongest);
      return What::kRuns;
    }
    if (state != 0 && (states_.sees(state) || states_.repeats())) return wait();
    ++turns_;
    if (is_last_of_length())
      looks_ = kLooks;
    else if (turn_ >= shortest_ * kLong)
      looks_ = kFewLooks;
    if (looks_ == 0) return What::kRuns;
    near_ = {};
    near_.sees(state);
    return What::kUnknown;
  }

  /// It ended, or came to a barrier.
  void left_loop() { turns_ = looks_ = 0; }
  /// It is another one than it was: work-items of it were parted.
  void changed() {
    left_loop();
    states_ = {};
  }

 private:
  /// Turns of one length, at least and at most: a loop in a loop may stand elsewhere after each, and has to come back to where it
  /// stood.
  static constexpr std::uint64_t kFewestTurns = 64, kMostTurns = 1024;
  /// Short turns at the end of one, before they become longer and else; and how many times as long as the shortest one such a turn is.
  static constexpr std::uint64_t kLooks = 64, kFewLooks = 4, kLong = 32;

  bool is_last_of_length() const {
    return turns_ % std::clamp(kLongest / turn_, kFewestTurns, kMostTurns) == 0;
  }
  What wait() {
    turn_ = shortest_;
    turns_ = looks_ = 0;
    return What::kWaits;
  }

  std::uint64_t shortest_ = 1, turn_ = 1, turns_ = 0;
  std::uint64_t looks_ = 0;  ///< short turns that are left of this one
  Cycle states_;             ///< at the ends of turns
  Cycle near_;               ///< within the last one
};

}  // namespace transpire::scheduler
