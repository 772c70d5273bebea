#include "scheduler/thread_pool.h"

#include <algorithm>
#include <memory>
#include <system_error>

namespace transpire::scheduler {

ThreadPool::ThreadPool(unsigned threads) : limit_(threads), crew_(new Crew) {}

/// A crew of another process is leaked: its threads are not here, and one of them may have held a lock when this process began.
ThreadPool::~ThreadPool() {
  Crew* const crew = crew_.load();
  if (crew->process != getpid()) return;
  {
    const std::lock_guard lock(crew->mutex);
    crew->stopping = true;
  }
  crew->wake.notify_all();
  for (std::thread& thread : crew->threads) thread.join();
  delete crew;
}

/// The crew of this process. Several threads may be the first ones here after a fork.
ThreadPool::Crew& ThreadPool::crew_here() {
  Crew* crew = crew_.load();
  if (crew->process == getpid()) return *crew;
  auto made = std::make_unique<Crew>();
  if (crew_.compare_exchange_strong(crew, made.get())) return *made.release();
  return *crew;
}

bool ThreadPool::start(Job& job, unsigned helpers) {
  helpers = std::min(helpers, limit_);
  if (helpers == 0) return false;
  Crew& crew = crew_here();
  bool some = false;
  {
    const std::lock_guard lock(crew.mutex);
    job.wanted_ = helpers;
    crew.jobs.push_back(&job);
    try {
      while (crew.threads.size() < helpers) crew.threads.emplace_back([&crew] { crew.serve(); });
    } catch (const std::system_error&) {
      // The system gives no more threads. The existing ones do the work.
    }
    some = !crew.threads.empty();
  }
  for (unsigned i = 0; i < helpers; ++i) crew.wake.notify_one();
  return some;
}

bool ThreadPool::wait(Job& job, std::chrono::nanoseconds time) {
  Crew& crew = *crew_.load();
  std::unique_lock lock(crew.mutex);
  // A helper leaves only when nothing is left to claim. The job has ended once one joined and none runs.
  return crew.left.wait_for(lock, time, [&job] { return job.joined_ > 0 && job.running_ == 0; });
}

void ThreadPool::finish(Job& job) {
  Crew& crew = *crew_.load();
  std::unique_lock lock(crew.mutex);
  std::erase(crew.jobs, &job);
  crew.left.wait(lock, [&job] { return job.running_ == 0; });
}

void ThreadPool::Crew::serve() {
  std::unique_lock lock(mutex);
  for (;;) {
    wake.wait(lock, [this] { return stopping || !jobs.empty(); });
    if (stopping) return;
    Job& job = *jobs.front();
    const unsigned helper = job.joined_++;
    if (job.joined_ == job.wanted_) jobs.pop_front();
    ++job.running_;
    lock.unlock();
    job.run(helper);
    lock.lock();
    if (--job.running_ == 0) left.notify_all();
  }
}

}  // namespace transpire::scheduler
