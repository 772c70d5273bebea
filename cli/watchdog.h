// A limit of time for what cannot be asked to end: reading, libraries that do not look at a clock.
// Where the work itself looks at its limit it ends before this does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace transpire::cli {

class Watchdog {
 public:
  /// Calls `over` from a thread of its own once `seconds` and some grace have passed, unless
  /// release() was called before. 0 seconds: never. Without a thread to be had, never as well.
  Watchdog(double seconds, std::function<void()> over);
  ~Watchdog() { release(); }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// What was watched has ended. Afterwards `over` is not called.
  void release();

 private:
  void watch(std::chrono::duration<double> time, const std::function<void()>& over);

  std::mutex mutex_;
  std::condition_variable released_now_;
  bool released_ = false;
  std::thread thread_;
};

}  // namespace transpire::cli
