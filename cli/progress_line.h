// What a run is doing, while it takes long: one line on a terminal that is written over.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "launch/runner/run_plan.h"

namespace transpire::cli {

/// Shown from the first second on, and written anew some times a second, by a thread of its own: parts of a run may be
/// silent for long. All may be called from any thread.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// `shown`: whether anybody sees it.
  explicit ProgressLine(bool shown);
  ~ProgressLine() { stop(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// A part of the run begins: "setting up buffer 'a'".
  void begin(const std::string& part);
  void update(const launch::LaunchProgress& progress);
  /// Wipes the line away, for good.
  void stop();

 private:
  void show();
  std::string text(Clock::time_point now) const;
  std::string launch_text(Clock::time_point now) const;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  bool written_ = false;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point part_start_ = start_;  ///< or the launch's
  std::string part_;                       ///< empty: a launch runs
  launch::LaunchProgress progress_;
  Clock::time_point group_start_ = start_;  ///< when the last work-group ended
  std::uint64_t instructions_before_ = 0;   ///< until then
  std::thread thread_;
};

/// "1.24 G"
std::string in_short(std::uint64_t count);

}  // namespace transpire::cli
