// A time limit for work that cannot be asked to end: reading, and libraries that do not check the
// time. Work that checks its limit itself ends before.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace transpire::cli {

class Watchdog {
 public:
  /// A thread calls `over` after `seconds` and some grace, unless release() was called before. With
  /// 0 seconds, or if no thread can be started, it never does.
  Watchdog(double seconds, std::function<void()> over);
  ~Watchdog() { release(); }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Call it when the watched work has ended; `over` is not called afterwards.
  void release();

 private:
  void watch(std::chrono::duration<double> time, const std::function<void()>& over);

  std::mutex mutex_;
  std::condition_variable released_now_;
  bool released_ = false;
  std::thread thread_;
};

}  // namespace transpire::cli
