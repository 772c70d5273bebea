#include "opencl/context.h"

#include <algorithm>
#include <cstdio>

#include "opencl/entry_point.h"
#include "opencl/event.h"
#include "opencl/platform.h"

using namespace transpire::opencl;

_cl_context::~_cl_context() {
  while (!destructor_callbacks_.empty()) {
    const std::function<void()> callback = std::move(destructor_callbacks_.back());
    destructor_callbacks_.pop_back();
    callback();
  }
}

bool _cl_context::has(cl_device_id device) const {
  return std::any_of(devices.begin(), devices.end(),
                     [device](const auto& own) { return own.get() == device; });
}

void _cl_context::report(const std::string& text) const {
  if (notify != nullptr) notify(text.c_str(), nullptr, 0, notify_data);
}

void _cl_context::report_refusal(const std::string& text) const {
  std::fputs(text.c_str(), stderr);
  report(text);
}

transpire::SharedMemory& _cl_context::shared_memory() {
  const std::lock_guard lock(mutex_);
  if (!shared_memory_) {
    auto made = transpire::SharedMemory::create();
    check(made.ok(), CL_OUT_OF_RESOURCES);
    shared_memory_ = *std::move(made);
  }
  return *shared_memory_;
}

const transpire::SharedMemory* _cl_context::shared_memory_if_any() {
  const std::lock_guard lock(mutex_);
  return shared_memory_ ? &*shared_memory_ : nullptr;
}

void _cl_context::add_destructor_callback(std::function<void()> callback) {
  const std::lock_guard lock(mutex_);
  destructor_callbacks_.push_back(std::move(callback));
}

namespace transpire::opencl {
namespace {

using Properties = std::vector<cl_context_properties>;

Properties check_properties(const cl_context_properties* properties) {
  Properties list = property_list(properties);
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    for (std::size_t before = 0; before < i; before += 2)
      check(list[before] != list[i], CL_INVALID_PROPERTY);
    if (list[i] == CL_CONTEXT_PLATFORM)
      check(reinterpret_cast<cl_platform_id>(list[i + 1]) == &platform(), CL_INVALID_PLATFORM);
    else
      check(list[i] == CL_CONTEXT_INTEROP_USER_SYNC &&
                (list[i + 1] == CL_TRUE || list[i + 1] == CL_FALSE),
            CL_INVALID_PROPERTY);
  }
  return list;
}

cl_context create_context(const cl_context_properties* properties, cl_uint num_devices,
                          const cl_device_id* devices, _cl_context::Notify notify,
                          void* user_data) {
  Properties list = check_properties(properties);
  check(devices != nullptr && num_devices != 0, CL_INVALID_VALUE);
  check(notify != nullptr || user_data == nullptr, CL_INVALID_VALUE);
  for (cl_uint i = 0; i < num_devices; ++i) check_object(devices[i], CL_INVALID_DEVICE);
  auto* const context = new _cl_context;
  if (environment().settings.looks_for_races()) context->order = std::make_unique<CommandRaces>();
  for (cl_uint i = 0; i < num_devices; ++i)
    if (!context->has(devices[i])) context->devices.emplace_back(devices[i]);
  context->properties = std::move(list);
  context->notify = notify;
  context->notify_data = user_data;
  return context;
}

}  // namespace
}  // namespace transpire::opencl

cl_context CL_API_CALL clCreateContext(const cl_context_properties* properties, cl_uint num_devices,
                                       const cl_device_id* devices, _cl_context::Notify notify,
                                       void* user_data, cl_int* errcode_ret) {
  return guarded_create<cl_context>(errcode_ret, [&] {
    return create_context(properties, num_devices, devices, notify, user_data);
  });
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties* properties,
                                               cl_device_type type, _cl_context::Notify notify,
                                               void* user_data, cl_int* errcode_ret) {
  return guarded_create<cl_context>(errcode_ret, [&] {
    cl_device_id device = nullptr;
    const cl_int found = clGetDeviceIDs(&platform(), type, 1, &device, nullptr);
    check(found == CL_SUCCESS, found);
    return create_context(properties, 1, &device, notify, user_data);
  });
}

cl_int CL_API_CALL clRetainContext(cl_context context) {
  return guarded([&] {
    check_object(context, CL_INVALID_CONTEXT);
    context->retain();
  });
}

cl_int CL_API_CALL clReleaseContext(cl_context context) {
  return guarded([&] {
    check_object(context, CL_INVALID_CONTEXT);
    context->release();
  });
}

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info name, std::size_t size,
                                    void* value, std::size_t* size_ret) {
  return guarded([&] {
    check_object(context, CL_INVALID_CONTEXT);
    const Answer answer{size, value, size_ret};
    switch (name) {
      case CL_CONTEXT_REFERENCE_COUNT:
        return answer.give(context->references());
      case CL_CONTEXT_NUM_DEVICES:
        return answer.give(static_cast<cl_uint>(context->devices.size()));
      case CL_CONTEXT_DEVICES: {
        std::vector<cl_device_id> devices;
        for (const auto& device : context->devices) devices.push_back(device.get());
        return answer.give_list(devices);
      }
      case CL_CONTEXT_PROPERTIES:
        return answer.give_list(context->properties);
      default:
        throw ApiError{CL_INVALID_VALUE};
    }
  });
}

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                  void(CL_CALLBACK* callback)(cl_context, void*),
                                                  void* user_data) {
  return guarded([&] {
    check_object(context, CL_INVALID_CONTEXT);
    check(callback != nullptr, CL_INVALID_VALUE);
    context->add_destructor_callback([=] { callback(context, user_data); });
  });
}
