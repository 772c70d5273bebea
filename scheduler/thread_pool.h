// ThreadPool: threads that help launches. A thread is started when it is first needed and sleeps between jobs. Several
// launches may use the pool at the same time; each helper serves one job at a time, the oldest job first. A process that was forked
// lacks the threads of its parent, so the pool starts new ones there.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace transpire::scheduler {

class ThreadPool {
 public:
  /// Work that several threads can share. `run` returns when nothing of it is left to claim.
  class Job {
   public:
    virtual ~Job() = default;
    /// `helper` counts the threads that joined this job, from 0.
    virtual void run(unsigned helper) = 0;

   private:
    friend class ThreadPool;
    unsigned wanted_ = 0;
    unsigned joined_ = 0;
    unsigned running_ = 0;
  };

  /// At most `threads` threads.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Asks up to `helpers` threads to join the job, and returns at once. finish() must follow. False if the pool has no
  /// thread because the system gives none.
  bool start(Job& job, unsigned helpers);
  /// Waits until a helper has run the job to its end and none is left (true), or until the time is over (false).
  bool wait(Job& job, std::chrono::nanoseconds time);
  /// Lets no further helper join and waits for those that did.
  void finish(Job& job);

 private:
  /// The threads of one process, with their locks.
  struct Crew {
    void serve();

    const pid_t process = getpid();
    std::mutex mutex;
    std::condition_variable wake;
    std::condition_variable left;
    std::deque<Job*> jobs;  ///< jobs that still need helpers
    std::vector<std::thread> threads;
    bool stopping = false;
  };
  Crew& crew_here();

  const unsigned limit_;
  std::atomic<Crew*> crew_;
};

}  // namespace transpire::scheduler
