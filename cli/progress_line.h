// The progress of a long run: one line on a terminal, overwritten in place.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "launch/runner/run_plan.h"

namespace transpire::cli {

/// A thread of its own shows the line after one second and rewrites it several times a second,
/// because parts of a run report nothing for long. All functions may be called from any thread.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  /// `shown`: false if standard error is no terminal.
  explicit ProgressLine(bool shown);
  ~ProgressLine() { stop(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Begins a part of the run: "setting up buffer 'a'".
  void begin(const std::string& part);
  void update(const launch::LaunchProgress& progress);
  /// Removes the line for good.
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
  Clock::time_point part_start_ = start_;  ///< start of the part or of the launch
  std::string part_;                       ///< empty: a launch is running
  launch::LaunchProgress progress_;
  Clock::time_point group_start_ = start_;  ///< time when the last work-group ended
  std::uint64_t instructions_before_ = 0;   ///< instructions executed by then
  std::thread thread_;
};

/// "1.24 G"
std::string in_short(std::uint64_t count);

}  // namespace transpire::cli
