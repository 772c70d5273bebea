// StopSwitch: ends launches from outside. Unlike the progress function it needs nobody who looks after the launch.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "scheduler/worker.h"

namespace transpire::scheduler {

class StopSwitch {
 public:
  /// Ends what runs, and what is going to. From any thread, but not from a signal handler.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_.store(true, std::memory_order_relaxed);
    for (LaunchControl* const launch : running_)
      launch->stop_because(LaunchResult::End::kCancelled);
  }
  /// For work before the launch: see WorkLimit.
  const std::atomic<bool>& stopped() const { return stopped_; }

  /// A launch's time in which it may be stopped. Without a switch, nothing.
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
