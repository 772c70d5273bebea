// Executor: runs the commands of a context's queues, in the order that events and queues allow.
//
//   enqueue --> blocked --(all it waits for has ended)--> ready --(flushed)--> running --> ended
//
// Nothing runs before it is flushed. Who waits (clFinish, clWaitForEvents, blocking calls) flushes, then
// runs ready commands of the queues concerned itself: a launch and a clFinish cost no change of threads.
// Commands flushed otherwise are run by worker threads, which are started when they are first needed
// and sleep in between. One mutex guards all of a context's queues and events.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "opencl/object.h"

namespace transpire::opencl {

class Executor {
 public:
  Executor() = default;
  ~Executor();  ///< all queues are gone: nothing is left to run

  /// Puts a command into its queue, behind `wait_list` and, in an in-order queue, behind the one
  /// before it; in an out-of-order queue behind the last barrier. The command's profiling times are
  /// taken from here on.
  void enqueue(const Ref<_cl_event>& command, std::span<const cl_event> wait_list);

  void flush(_cl_command_queue& queue);
  /// Flushes, and runs commands until the queue is empty.
  void finish(_cl_command_queue& queue);
  /// Flushes all queues of the context, and runs commands until all these events have ended.
  void wait(std::span<const cl_event> events);

  /// Ends a user event: CL_COMPLETE or an error. False when it has ended before.
  bool end_user_event(_cl_event& event, cl_int status);
  /// Calls `callback` when the event reaches the status, at once when it has.
  void add_callback(_cl_event& event, cl_int status,
                    void(CL_CALLBACK* callback)(cl_event, cl_int, void*), void* data);

 private:
  using Lock = std::unique_lock<std::mutex>;

  void serve();  // a worker thread

  std::mutex mutex_;
  std::condition_variable work_;   ///< for workers: something is in ready_, or the end
  std::condition_variable ended_;  ///< for those who wait
  std::deque<Ref<_cl_event>> ready_;
  std::vector<std::thread> workers_;
  unsigned idle_workers_ = 0;
  unsigned waiters_ = 0;
  bool stopping_ = false;
};

}  // namespace transpire::opencl
