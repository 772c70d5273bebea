// StopSwitch: ends launches from other threads. Unlike the progress function it needs no supervising thread.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "scheduler/launch_control.h"

namespace transpire::scheduler {

class StopSwitch {
 public:
  /// Ends all launches with this switch that run or will run. Thread-safe, but not for signal handlers.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_.store(true, std::memory_order_relaxed);
    for (LaunchControl* const launch : running_)
      launch->stop_because(LaunchResult::End::kCancelled);
  }
  /// The flag for work before the launch, see WorkLimit.
  const std::atomic<bool>& stopped() const { return stopped_; }

  /// Registers a launch as long as this object lives. `from` may be null: nothing is registered.
  class Guard {
   public:
    Guard(StopSwitch* from, LaunchControl& launch) : switch_(from), launch_(launch) {
      if (switch_ == nullptr) return;
      const std::lock_guard lock(switch_->mutex_);
      switch_->running_.push_back(&launch_);
      if (switch_->stopped_.load(std::memory_order_relaxed))
        launch_.stop_because(LaunchResult::End::kCancelled);
    }
    ~Guard() {
      if (switch_ == nullptr) return;
      const std::lock_guard lock(switch_->mutex_);
      std::erase(switch_->running_, &launch_);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    StopSwitch* switch_;
    LaunchControl& launch_;
  };

 private:
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
  std::vector<LaunchControl*> running_;
};

}  // namespace transpire::scheduler
