// Events: user events, waiting, callbacks, queries.
#include "opencl/event.h"

#include "opencl/context.h"
#include "opencl/entry_point.h"
#include "opencl/queue.h"

using namespace transpire::opencl;

_cl_event::_cl_event(_cl_context& in, cl_command_type command) : context(&in), type(command) {}

_cl_event::~_cl_event() = default;

namespace transpire::opencl {

void tell_waited(const _cl_event& event) {
  if (event.context->order != nullptr) event.context->order->host_waited(event);
}

}  // namespace transpire::opencl

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
  return guarded_create<cl_event>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    const cl_event event = new _cl_event(*context, CL_COMMAND_USER);
    event->status = CL_SUBMITTED;
    return event;
  });
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status) {
  return guarded([&] {
    check_object(event, CL_INVALID_EVENT);
    check(event->type == CL_COMMAND_USER, CL_INVALID_EVENT);
    check(execution_status <= CL_COMPLETE, CL_INVALID_VALUE);
    check(event->context->executor.end_user_event(*event, execution_status), CL_INVALID_OPERATION);
  });
}

cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event* event_list) {
  return guarded([&] {
    check(num_events != 0 && event_list != nullptr, CL_INVALID_VALUE);
    const std::span events(event_list, num_events);
    for (const cl_event event : events) check_object(event, CL_INVALID_EVENT);
    for (const cl_event event : events)
      check(event->context == events[0]->context, CL_INVALID_CONTEXT);
    if (!events[0]->context->executor.wait(events))
      throw ApiError{CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST};
  });
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int status,
                                      void(CL_CALLBACK* function)(cl_event, cl_int, void*),
                                      void* data) {
  return guarded([&] {
    check_object(event, CL_INVALID_EVENT);
    check(function != nullptr, CL_INVALID_VALUE);
    check(status == CL_SUBMITTED || status == CL_RUNNING || status == CL_COMPLETE,
          CL_INVALID_VALUE);
    event->context->executor.add_callback(*event, status, function, data);
  });
}

cl_int CL_API_CALL clRetainEvent(cl_event event) {
  return guarded([&] {
    check_object(event, CL_INVALID_EVENT);
    event->retain();
  });
}

cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return guarded([&] {
    check_object(event, CL_INVALID_EVENT);
    const Ref<_cl_event> held(event);
    event->release();
    if (event->type == CL_COMMAND_USER) event->context->executor.abandon(*event);
  });
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t size,
                                  void* value, size_t* size_ret) {
  return guarded([&] {
    check_object(event, CL_INVALID_EVENT);
    const Answer answer{size, value, size_ret};
    switch (param_name) {
      case CL_EVENT_COMMAND_QUEUE:
        return answer.give<cl_command_queue>(event->queue.get());
      case CL_EVENT_CONTEXT:
        return answer.give<cl_context>(event->context.get());
      case CL_EVENT_COMMAND_TYPE:
        return answer.give<cl_command_type>(event->type);
      case CL_EVENT_REFERENCE_COUNT:
        return answer.give<cl_uint>(
            event->references() -
            static_cast<cl_uint>(event->context->executor.pending_callbacks(*event)));
      case CL_EVENT_COMMAND_EXECUTION_STATUS:
        // A program that polls the status in a loop waits for the command, so the command must be
        // flushed.
        if (event->status == CL_QUEUED) event->context->executor.flush(*event->queue);
        if (event->has_ended()) tell_waited(*event);
        return answer.give<cl_int>(event->status);
      default:
        throw ApiError{CL_INVALID_VALUE};
    }
  });
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                           size_t size, void* value, size_t* size_ret) {
  return guarded([&] {
    check_object(event, CL_INVALID_EVENT);
    check(param_name >= CL_PROFILING_COMMAND_QUEUED && param_name <= CL_PROFILING_COMMAND_COMPLETE,
          CL_INVALID_VALUE);
    check(event->type != CL_COMMAND_USER && event->type != CL_COMMAND_SVM_FREE &&
              event->queue->profiles() &&
              event->status.load(std::memory_order_acquire) == CL_COMPLETE,
          CL_PROFILING_INFO_NOT_AVAILABLE);
    Answer{size, value, size_ret}.give(event->times[param_name - CL_PROFILING_COMMAND_QUEUED]);
  });
}
