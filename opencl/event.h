// An event: a command of a queue, or a user event. The executor owns the members for the graph of
// commands; its mutex guards them.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <vector>

#include "opencl/command_races.h"
#include "opencl/object.h"

namespace transpire::opencl {

/// The result of a command's work.
struct Ending {
  Ending(cl_int ended_with, cl_ulong for_children = 0)
      : status(ended_with), children_ns(for_children) {}
  cl_int status;         ///< CL_COMPLETE or a negative error code
  cl_ulong children_ns;  ///< time that its children took after its own end
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

  /// Nanoseconds at which it was queued, submitted, started, ended and complete; index:
  /// CL_PROFILING_COMMAND_... - CL_PROFILING_COMMAND_QUEUED.
  std::array<cl_ulong, 5> times{};

  transpire::opencl::CommandRaces::Pointer order;  ///< null: no race check

  // Guarded by the executor. Each registered callback holds a reference, so the handle that it gets
  // is valid.
  struct Callback {
    cl_int status;
    void(CL_CALLBACK* function)(cl_event, cl_int, void*);
    void* data;
  };
  std::function<transpire::opencl::Ending()> work;  ///< cleared at its end; none: nothing to do
  std::uint64_t number = 0;                         ///< in its queue, from 1
  unsigned waits_for = 0;                           ///< number of events it waits for
  bool waits_for_all = false;  ///< marker or barrier: waits for all before it in an out-of-order
                               ///< queue
  bool wait_failed = false;    ///< an event of its wait list failed
  bool is_ready = false;       ///< may run, and no thread has taken it yet
  /// A command that waits for the end of this one; `explicitly`: by its wait list.
  struct Follower {
    transpire::opencl::Ref<_cl_event> event;
    bool explicitly;
  };
  std::vector<Follower> followers;
  std::vector<transpire::opencl::Ref<_cl_event>>
      waits_on;  ///< the events that it follows, without ended ones
  std::vector<Callback> callbacks;
};

namespace transpire::opencl {

/// Notes that the host knows the command has ended; it is before all that the host enqueues from
/// now on.
void tell_waited(const _cl_event& event);

}  // namespace transpire::opencl
