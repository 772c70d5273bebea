#include "scheduler/thread_pool.h"

#include <algorithm>
#include <system_error>

namespace transpire::scheduler {

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool ThreadPool::start(Job& job, unsigned helpers) {
  helpers = std::min(helpers, limit_);
  if (helpers == 0) return false;
  bool some = false;
  {
    const std::lock_guard lock(mutex_);
    job.wanted_ = helpers;
    jobs_.push_back(&job);
    try {
      while (threads_.size() < helpers) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      // The system gives no more threads. The existing ones do the work.
    }
    some = !threads_.empty();
  }
  for (unsigned i = 0; i < helpers; ++i) wake_.notify_one();
  return some;
}

bool ThreadPool::wait(Job& job, std::chrono::nanoseconds time) {
  std::unique_lock lock(mutex_);
  // A helper leaves only when nothing is left to claim. The job has ended once one joined and none runs.
  return left_.wait_for(lock, time, [&job] { return job.joined_ > 0 && job.running_ == 0; });
}

void ThreadPool::finish(Job& job) {
  std::unique_lock lock(mutex_);
  std::erase(jobs_, &job);
  left_.wait(lock, [&job] { return job.running_ == 0; });
}

void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    Job& job = *jobs_.front();
    const unsigned helper = job.joined_++;
    if (job.joined_ == job.wanted_) jobs_.pop_front();
    ++job.running_;
    lock.unlock();
    job.run(helper);
    lock.lock();
    if (--job.running_ == 0) left_.notify_all();
  }
}

}  // namespace transpire::scheduler
