// A command-queue, of the host or of the device, and code shared by all clEnqueue... calls.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "opencl/context.h"
#include "opencl/event.h"
#include "opencl/object.h"
#include "transpire/enqueue.hpp"

struct _cl_command_queue final
    : transpire::opencl::Object<_cl_command_queue, transpire::opencl::Kind::kQueue> {
  _cl_command_queue(_cl_context& in, _cl_device_id& on) : context(&in), device(&on) {}
  ~_cl_command_queue();

  const transpire::opencl::Ref<_cl_context> context;
  const transpire::opencl::Ref<_cl_device_id> device;
  std::vector<cl_queue_properties> property_list;  ///< from clCreateCommandQueueWithProperties
  cl_command_queue_properties properties = 0;
  bool in_order() const { return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0; }
  bool profiles() const { return (properties & CL_QUEUE_PROFILING_ENABLE) != 0; }
  /// Set for a queue of the device: the handle that kernels get. The host enqueues nothing to it.
  std::optional<transpire::DeviceQueue> on_device;

  std::atomic<std::uint64_t> launches{0};  ///< number of kernel launches so far; for messages
  std::atomic<bool> has_failed{false};     ///< a launch failed since clFinish last reported one

  // Guarded by the executor.
  std::deque<transpire::opencl::Ref<_cl_event>> pending;  ///< not yet ended, in order of enqueueing
  transpire::opencl::Ref<_cl_event> last_barrier;         ///< for out-of-order queues
  std::uint64_t enqueued = 0;                             ///< number of commands so far
  std::uint64_t flushed = 0;                              ///< commands up to this number may run
  std::deque<transpire::opencl::Ref<_cl_event>> ready;    ///< may include commands that were taken
                                                          ///< since
  std::size_t ready_count = 0;                            ///< number of ready commands, without
                                                          ///< taken ones
};

namespace transpire::opencl {

/// The last three parameters of every clEnqueue... call.
struct Waits {
  cl_uint count = 0;
  const cl_event* list = nullptr;
  cl_event* event = nullptr;  ///< gets the command's event; may be null
};

/// Throws CL_INVALID_COMMAND_QUEUE if it is no queue of the host: only these take commands of the
/// host.
void check_queue(cl_command_queue queue);

/// Checks a wait list against the context. Throws CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
void check_waits(const _cl_context& context, cl_uint count, const cl_event* list);

/// The work of a command when its turn comes.
using Work = std::function<Ending()>;

/// Makes a command of the work and enqueues it. Captures of the work (Refs of memory objects) live
/// until it has ended. With `blocking`, waits for its end and throws
/// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if an event of the wait list failed. Checks the
/// wait list.
void enqueue(_cl_command_queue& queue, cl_command_type type, const Waits& waits, bool blocking,
             Work work);

}  // namespace transpire::opencl
