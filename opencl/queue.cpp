// Command-queues, the commands that only order others, and code shared by all clEnqueue... calls.
#include "opencl/queue.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "opencl/defined.h"
#include "opencl/entry_point.h"
#include "opencl/memory_object.h"
#include "transpire/launch_rules.hpp"

using namespace transpire::opencl;

_cl_command_queue::~_cl_command_queue() {
  if (context->order != nullptr) context->order->queue_gone(*this);
  if (on_device) context->device_queues.remove(*this);
}

namespace transpire::opencl {

void check_queue(cl_command_queue queue) {
  check_object(queue, CL_INVALID_COMMAND_QUEUE);
  check(!queue->on_device, CL_INVALID_COMMAND_QUEUE);
}

void check_waits(const _cl_context& context, cl_uint count, const cl_event* list) {
  check((count == 0) == (list == nullptr), CL_INVALID_EVENT_WAIT_LIST);
  for (cl_uint i = 0; i != count; ++i) {
    check_object(list[i], CL_INVALID_EVENT_WAIT_LIST);
    check(list[i]->context.get() == &context, CL_INVALID_CONTEXT);
  }
}

void enqueue(_cl_command_queue& queue, cl_command_type type, const Waits& waits, bool blocking,
             Work work) {
  check_waits(*queue.context, waits.count, waits.list);
  const auto release = [](_cl_event* event) { event->release(); };
  std::unique_ptr<_cl_event, decltype(release)> reference(new _cl_event(*queue.context, type));
  const Ref<_cl_event> command(reference.get());
  command->queue = Ref<_cl_command_queue>(&queue);
  command->work = std::move(work);
  Executor& executor = queue.context->executor;
  executor.enqueue(command, std::span(waits.list, waits.count));
  if (blocking && !executor.wait(std::array{reference.get()})) {
    // A failed wait list is reported as such, whatever the command's own status.
    check(!command->wait_failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    throw ApiError{command->status};
  }
  if (waits.event != nullptr) *waits.event = reference.release();
}

namespace {

constexpr cl_command_queue_properties kHostProperties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kDeviceProperties =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

void check_context_and_device(cl_context context, cl_device_id device) {
  check_object(context, CL_INVALID_CONTEXT);
  check_object(device, CL_INVALID_DEVICE);
  check(context->has(device), CL_INVALID_DEVICE);
}

/// The values in a list of properties; each property may occur once.
struct Wanted {
  std::optional<cl_queue_properties> bits, size;

  bool has(cl_command_queue_properties bit) const { return (bits.value_or(0) & bit) != 0; }
};

Wanted parse_properties(const std::vector<cl_queue_properties>& list) {
  Wanted wanted;
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    auto& value = list[i] == CL_QUEUE_PROPERTIES ? wanted.bits : wanted.size;
    check(list[i] == CL_QUEUE_PROPERTIES || list[i] == CL_QUEUE_SIZE, CL_INVALID_VALUE);
    check(!value, CL_INVALID_VALUE);
    value = list[i + 1];
  }
  check((wanted.bits.value_or(0) & ~(kHostProperties | kDeviceProperties)) == 0, CL_INVALID_VALUE);
  if (wanted.has(CL_QUEUE_ON_DEVICE)) {
    check(wanted.has(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), CL_INVALID_VALUE);
    const std::uint64_t size = wanted.size.value_or(kPreferredDeviceQueueBytes);
    check(!refusal_of_queue_size(size), CL_INVALID_VALUE);
  } else {
    check(!wanted.has(CL_QUEUE_ON_DEVICE_DEFAULT) && !wanted.size, CL_INVALID_VALUE);
  }
  return wanted;
}

cl_command_queue create_queue(_cl_context& context, _cl_device_id& device,
                              std::vector<cl_queue_properties> list) {
  const Wanted wanted = parse_properties(list);
  const auto release = [](_cl_command_queue* queue) { queue->release(); };
  std::unique_ptr<_cl_command_queue, decltype(release)> queue(
      new _cl_command_queue(context, device));
  queue->property_list = std::move(list);
  queue->properties = wanted.bits.value_or(0);
  if (!wanted.has(CL_QUEUE_ON_DEVICE)) return queue.release();
  const auto size = static_cast<cl_uint>(wanted.size.value_or(kPreferredDeviceQueueBytes));
  const cl_command_queue added =
      context.device_queues.add(*queue, size, wanted.has(CL_QUEUE_ON_DEVICE_DEFAULT));
  if (added == queue.get()) return queue.release();
  return added;
}

/// Replaces memory objects by host pointers in the copy of a native kernel's arguments.
struct NativeArguments {
  std::vector<std::byte> bytes;
  std::vector<Ref<_cl_mem>> memory;
};

NativeArguments native_arguments(const _cl_command_queue& queue, const void* args,
                                 std::size_t cb_args, std::span<const cl_mem> list,
                                 const void* const* locations) {
  NativeArguments made;
  const auto* const start = static_cast<const std::byte*>(args);
  made.bytes.assign(start, start + cb_args);
  for (std::size_t i = 0; i != list.size(); ++i) {
    void* pointer = nullptr;
    if (list[i] != nullptr) {
      check_buffer(queue, list[i]);
      made.memory.emplace_back(list[i]);
      pointer = list[i]->bytes().data();
    }
    const auto offset =
        static_cast<std::size_t>(static_cast<const std::byte*>(locations[i]) - start);
    check(within(offset, sizeof pointer, cb_args), CL_INVALID_VALUE);
    std::memcpy(made.bytes.data() + offset, &pointer, sizeof pointer);
  }
  return made;
}

}  // namespace
}  // namespace transpire::opencl

// ---- Queues ---------------------------------------------------------------------------------------

cl_command_queue CL_API_CALL
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties* properties, cl_int* errcode_ret) {
  return guarded_create<cl_command_queue>(errcode_ret, [&] {
    check_context_and_device(context, device);
    return create_queue(*context, *device, property_list(properties));
  });
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties,
                                                  cl_int* errcode_ret) {
  return guarded_create<cl_command_queue>(errcode_ret, [&] {
    check_context_and_device(context, device);
    check((properties & ~kHostProperties) == 0, CL_INVALID_VALUE);
    const cl_command_queue queue = new _cl_command_queue(*context, *device);
    queue->properties = properties;
    return queue;
  });
}

/// Since OpenCL 1.1 a queue's properties cannot change.
cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue command_queue,
                                             cl_command_queue_properties properties, cl_bool,
                                             cl_command_queue_properties*) {
  return guarded([&] {
    check_object(command_queue, CL_INVALID_COMMAND_QUEUE);
    check((properties & ~kHostProperties) == 0, CL_INVALID_VALUE);
    throw ApiError{CL_INVALID_OPERATION};
  });
}

cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue command_queue) {
  return guarded([&] {
    check_context_and_device(context, device);
    check_object(command_queue, CL_INVALID_COMMAND_QUEUE);
    check(command_queue->on_device && command_queue->context.get() == context &&
              command_queue->device.get() == device,
          CL_INVALID_COMMAND_QUEUE);
    context->device_queues.set_default(*command_queue);
  });
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue) {
  return guarded([&] {
    check_object(command_queue, CL_INVALID_COMMAND_QUEUE);
    command_queue->retain();
  });
}

cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  return guarded([&] {
    check_object(command_queue, CL_INVALID_COMMAND_QUEUE);
    const Ref<_cl_context> context = command_queue->context;  // flushing may outlive the queue
    context->executor.flush(*command_queue);
    command_queue->release();
  });
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue,
                                         cl_command_queue_info param_name, size_t size, void* value,
                                         size_t* size_ret) {
  return guarded([&] {
    check_object(command_queue, CL_INVALID_COMMAND_QUEUE);
    const _cl_command_queue& queue = *command_queue;
    const Answer answer{size, value, size_ret};
    switch (param_name) {
      case CL_QUEUE_CONTEXT:
        return answer.give<cl_context>(queue.context.get());
      case CL_QUEUE_DEVICE:
        return answer.give<cl_device_id>(queue.device.get());
      case CL_QUEUE_REFERENCE_COUNT:
        return answer.give<cl_uint>(queue.references());
      case CL_QUEUE_PROPERTIES:
        return answer.give(queue.properties);
      case CL_QUEUE_PROPERTIES_ARRAY:
        return answer.give_list(queue.property_list);
      case CL_QUEUE_DEVICE_DEFAULT:
        return answer.give(queue.context->device_queues.default_of(*queue.device));
      case CL_QUEUE_SIZE:
        check(queue.on_device.has_value(), CL_INVALID_COMMAND_QUEUE);
        return answer.give(static_cast<cl_uint>(queue.on_device->size_bytes));
      default:
        throw ApiError{CL_INVALID_VALUE};
    }
  });
}

cl_int CL_API_CALL clFlush(cl_command_queue command_queue) {
  return guarded([&] {
    check_queue(command_queue);
    command_queue->context->executor.flush(*command_queue);
  });
}

cl_int CL_API_CALL clFinish(cl_command_queue command_queue) {
  return guarded([&] {
    check_queue(command_queue);
    const Ref<_cl_command_queue> held(command_queue);  // a callback may release it
    held->context->executor.finish(*held);
    check(!held->has_failed || !held->has_failed.exchange(false), CL_OUT_OF_RESOURCES);
  });
}

// ---- Markers, barriers, native kernels ---------------------------------------------------------------

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue command_queue, cl_uint count,
                                               const cl_event* list, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    enqueue(*command_queue, CL_COMMAND_MARKER, {count, list, event}, false, nullptr);
  });
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue command_queue, cl_uint count,
                                                const cl_event* list, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    enqueue(*command_queue, CL_COMMAND_BARRIER, {count, list, event}, false, nullptr);
  });
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue command_queue, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    check(event != nullptr, CL_INVALID_VALUE);
    enqueue(*command_queue, CL_COMMAND_MARKER, {0, nullptr, event}, false, nullptr);
  });
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue command_queue) {
  return clEnqueueBarrierWithWaitList(command_queue, 0, nullptr, nullptr);
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint num_events,
                                          const cl_event* event_list) {
  return guarded([&] {
    check_queue(command_queue);
    check(num_events != 0 && event_list != nullptr, CL_INVALID_VALUE);
    for (cl_uint i = 0; i != num_events; ++i) check_object(event_list[i], CL_INVALID_EVENT);
    enqueue(*command_queue, CL_COMMAND_BARRIER, {num_events, event_list, nullptr}, false, nullptr);
  });
}

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue command_queue,
                                         void(CL_CALLBACK* user_func)(void*), void* args,
                                         size_t cb_args, cl_uint num_mem_objects,
                                         const cl_mem* mem_list, const void** args_mem_loc,
                                         cl_uint count, const cl_event* list, cl_event* event) {
  return guarded([&] {
    check_queue(command_queue);
    check(user_func != nullptr, CL_INVALID_VALUE);
    check((args == nullptr) == (cb_args == 0), CL_INVALID_VALUE);
    check(args != nullptr || num_mem_objects == 0, CL_INVALID_VALUE);
    check((mem_list == nullptr) == (num_mem_objects == 0), CL_INVALID_VALUE);
    check((args_mem_loc == nullptr) == (num_mem_objects == 0), CL_INVALID_VALUE);
    NativeArguments arguments = native_arguments(
        *command_queue, args, cb_args, std::span(mem_list, num_mem_objects), args_mem_loc);
    enqueue(*command_queue, CL_COMMAND_NATIVE_KERNEL, {count, list, event}, false,
            [user_func, arguments = std::move(arguments), command_queue]() mutable -> cl_int {
              give_up_all_shared(*command_queue->context);
              for (const Ref<_cl_mem>& memory : arguments.memory)  // it reads all at least
                touch_to_read(*memory->context, memory->bytes(), "clEnqueueNativeKernel");
              user_func(arguments.bytes.empty() ? nullptr : arguments.bytes.data());
              for (const Ref<_cl_mem>& memory : arguments.memory) define_all(*memory);
              return CL_COMPLETE;
            });
  });
}
