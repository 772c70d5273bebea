// Executor: runs the commands of a context's queues in the order that events and queues allow.
//
//   enqueue --> blocked --(all it waits for has ended)--> ready --(flushed)--> running --> ended
//
// A command runs only after it was flushed. A waiting thread (clFinish, clWaitForEvents, blocking
// calls) flushes, then runs ready commands itself, but only those it waits for. A launch and a
// clFinish therefore need no switch to another thread, and no thread is held up by an unrelated command.
// Workers run all other flushed commands; they are started when first needed and sleep in between.
// One mutex guards all queues and events of a context; callbacks and destructors run without it.
#pragma once

#include <memory>
#include <span>

#include "opencl/object.h"

namespace transpire::opencl {

class Executor {
 public:
  Executor();
  ~Executor();  ///< after all queues; any thread may call it, also a worker

  /// Puts a command into its queue, behind `wait_list` and, in an in-order queue, behind the
  /// command before it; in an out-of-order queue behind the last barrier. A marker or barrier of an
  /// out-of-order queue without a wait list waits for all before it. The command's profiling times
  /// begin here.
  void enqueue(const Ref<_cl_event>& command, std::span<const cl_event> wait_list);

  void flush(_cl_command_queue& queue);
  /// Flushes, and runs commands until all that are in the queue now have ended.
  void finish(_cl_command_queue& queue);
  /// Flushes all queues of the context, and runs commands until all these events have ended.
  /// Returns true if none failed.
  bool wait(std::span<const cl_event> events);

  /// Ends a user event with CL_COMPLETE or an error. Returns false if it had ended before.
  bool end_user_event(_cl_event& event, cl_int status);
  /// The application released a user event. If only callbacks still have references, ends it with
  /// CL_INVALID_EVENT: nobody else can, and its followers must not wait for ever.
  void abandon(_cl_event& event);
  /// Number of registered callbacks. Each has a reference, which is not the application's.
  std::size_t pending_callbacks(const _cl_event& event);
  /// Calls `callback` when the event reaches the status, or at once if it has. Flushes its queue.
  void add_callback(_cl_event& event, cl_int status,
                    void(CL_CALLBACK* callback)(cl_event, cl_int, void*), void* data);

 private:
  class Core;
  std::shared_ptr<Core> core_;  // shared with the workers, which may outlive the context
};

}  // namespace transpire::opencl
