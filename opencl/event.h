// An event: a command of a queue, or a user event. What concerns its place in the graph of commands is
// the executor's and guarded by its mutex.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <vector>

#include "opencl/command_order.h"
#include "opencl/object.h"

namespace transpire::opencl {

/// What became of a command's work.
struct Ending {
  Ending(cl_int ended_with, cl_ulong for_children = 0)
      : status(ended_with), children_ns(for_children) {}
  cl_int status;         ///< CL_COMPLETE, or an error, a negative number
  cl_ulong children_ns;  ///< that what it enqueued took, after its own end
};

}  // namespace transpire::opencl

struct _cl_event final : transpire::opencl::Object<_cl_event, transpire::opencl::Kind::kEvent> {
  _cl_event(_cl_context& in, cl_command_type command);
  ~_cl_event();

  const transpire::opencl::Ref<_cl_context> context;
  const cl_command_type type;
  transpire::opencl::Ref<_cl_command_queue> queue;  ///< null for a user event; kept after the end
  /// CL_QUEUED, CL_SUBMITTED, CL_RUNNING, CL_COMPLETE, or an error.
  std::atomic<cl_int> status{CL_QUEUED};
  bool has_ended() const { return status.load(std::memory_order_acquire) <= CL_COMPLETE; }

  /// Nanoseconds, by CL_PROFILING_COMMAND_... less CL_PROFILING_COMMAND_QUEUED: queued, submitted,
  /// started, ended, complete.
  std::array<cl_ulong, 5> times{};

  transpire::opencl::CommandOrder::Pointer order;  ///< null: nobody looks for races

  // Guarded by the executor. Registering a callback takes a reference: the handle it gets is valid.
  struct Callback {
    cl_int status;
    void(CL_CALLBACK* function)(cl_event, cl_int, void*);
    void* data;
  };
  std::function<transpire::opencl::Ending()> work;  ///< gone when it has ended; none: nothing to do
  std::uint64_t number = 0;                         ///< in its queue, from 1
  unsigned waits_for = 0;                           ///< events that have not ended
  bool waits_for_all = false;  ///< a marker or barrier: for all before it in an out-of-order queue
  bool wait_failed = false;    ///< one of its wait list did
  bool is_ready = false;       ///< may run, and no thread has taken it yet
  /// Who waits for this one's end; `explicitly`: by its wait list.
  struct Follower {
    transpire::opencl::Ref<_cl_event> event;
    bool explicitly;
  };
  std::vector<Follower> followers;
  std::vector<transpire::opencl::Ref<_cl_event>>
      waits_on;  ///< whose follower it is, but for ended ones
  std::vector<Callback> callbacks;
};

namespace transpire::opencl {

/// The host knows that the command has ended: it is before all that the host enqueues from now on.
void tell_waited(const _cl_event& event);

}  // namespace transpire::opencl
