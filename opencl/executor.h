// Executor: runs the commands of a context's queues, in the order that events and queues allow.
//
//   enqueue --> blocked --(all it waits for has ended)--> ready --(flushed)--> running --> ended
//
// Nothing runs before it is flushed. Who waits (clFinish, clWaitForEvents, blocking calls) flushes, then
// runs ready commands itself, but only such as it waits for: a launch and a clFinish cost no change of
// threads, and nobody is held up by a stranger's command. What is flushed otherwise is run by worker
// threads, which are started when they are first needed and sleep in between. One mutex guards all of
// a context's queues and events; callbacks and destructors run outside of it.
#pragma once

#include <memory>
#include <span>

#include "opencl/object.h"

namespace transpire::opencl {

class Executor {
 public:
  Executor();
  ~Executor();  ///< all queues are gone: nothing is left to run. Any thread may call it, a worker too

  /// Puts a command into its queue, behind `wait_list` and, in an in-order queue, behind the one
  /// before it; in an out-of-order queue behind the last barrier. A marker or barrier of an
  /// out-of-order queue without a wait list waits for all before it. The command's profiling times
  /// are taken from here on.
  void enqueue(const Ref<_cl_event>& command, std::span<const cl_event> wait_list);

  void flush(_cl_command_queue& queue);
  /// Flushes, and runs commands until those that the queue holds now have ended.
  void finish(_cl_command_queue& queue);
  /// Flushes all queues of the context, and runs commands until all these events have ended: whether
  /// all did so without an error.
  bool wait(std::span<const cl_event> events);

  /// Ends a user event: CL_COMPLETE or an error. False when it has ended before.
  bool end_user_event(_cl_event& event, cl_int status);
  /// The application let go of a user event: ends it with CL_INVALID_EVENT when only callbacks still
  /// have references, as nobody can end it any more and what waits for it must not wait for ever.
  void abandon(_cl_event& event);
  /// Each has a reference of its own, which is none of the application's.
  std::size_t pending_callbacks(const _cl_event& event);
  /// Calls `callback` when the event reaches the status, at once when it has. Flushes its queue.
  void add_callback(_cl_event& event, cl_int status,
                    void(CL_CALLBACK* callback)(cl_event, cl_int, void*), void* data);

 private:
  class Core;
  std::shared_ptr<Core> core_;  // shared with the workers, which may outlive the context
};

}  // namespace transpire::opencl
