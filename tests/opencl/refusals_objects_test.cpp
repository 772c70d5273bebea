// Bad arguments of functions on platforms, devices, contexts, queues, memory objects and events.
// OpenCL 2.2 API, chapter 4 and sections 5.1, 5.2, 5.5 and 5.11.
#include "tests/opencl/refusals.h"

namespace transpire::test::refusals_objects_tests {
namespace {

void CL_CALLBACK ignore_context(cl_context, void*) {}
void CL_CALLBACK ignore_memory(cl_mem, void*) {}
void CL_CALLBACK ignore_event(cl_event, cl_int, void*) {}

/// With a part of the machine, which is a device of none of its contexts.
struct Objects : Setup {
  Parts parts{{1}};
  cl_device_id part = parts.devices[0];
  Memory memory = buffer(1024);
  mutable char data[4096] = {};

  cl_ulong largest() const {
    return info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  }
};

using Properties = std::vector<cl_queue_properties>;
using ContextProperties = std::vector<cl_context_properties>;
using Partition = std::vector<cl_device_partition_property>;

TEST_CASE_FIXTURE(Setup, "refusals: platforms") {
  cl_platform_id platform = nullptr;
  char text[4];
  const Calls calls = checked(
      *this, {
                 CALL(clGetPlatformIDs, "count platforms found", 1, &platform, nullptr),
                 CALL(clIcdGetPlatformIDsKHR, "count platforms found", 1, &platform, nullptr),
                 QUERY(clGetPlatformInfo, CL_PLATFORM_NAME, "platform", the_platform()),
                 CALL(clUnloadPlatformCompiler, "loaded", the_platform()),
             });
  CHECK(driver().clUnloadCompiler() == CL_SUCCESS);
  calls.refuse(CL_INVALID_VALUE,
               {{"count", {0, 1, 0}}, {"platforms", {&platform, nullptr, nullptr}}});
  // Null may be the one there is.
  calls.refuse_each(CL_INVALID_PLATFORM,
                    {{"platform", bad<cl_platform_id>()[1]}, {"loaded", bad<cl_platform_id>()}});
  calls.refuse(CL_INVALID_VALUE, {{"name", 0}});
  calls.refuse(CL_INVALID_VALUE, {{"size", 4}, {"value", text}});
}

TEST_CASE("refusals: functions by name") {
  constexpr const char* kName = "clCreateSubDevicesEXT";
  for (const cl_platform_id none : bad<cl_platform_id>())
    GIVES_NULL(clGetExtensionFunctionAddressForPlatform, none, kName);
  GIVES_NULL(clGetExtensionFunctionAddressForPlatform, the_platform(), "clNoSuchFunction");
  GIVES_NULL(clGetExtensionFunctionAddressForPlatform, the_platform(), nullptr);
  GIVES_NULL(clGetExtensionFunctionAddress, "clNoSuchFunction");
  GIVES_NULL(clGetExtensionFunctionAddress, nullptr);
  CHECK(driver().clGetExtensionFunctionAddress(kName) ==
        reinterpret_cast<void*>(driver().clCreateSubDevicesEXT));
}

TEST_CASE_FIXTURE(Setup, "refusals: devices") {
  const cl_device_id the = the_device();
  cl_device_id found = nullptr;
  cl_uint count = 0;
  cl_ulong time = 0;
  const Calls calls =
      checked(*this, {
                         CALL(clGetDeviceIDs, "platform type room devices count", the_platform(),
                              CL_DEVICE_TYPE_CPU, 1, &found, &count),
                         QUERY(clGetDeviceInfo, CL_DEVICE_TYPE, "device", the),
                         CALL(clRetainDevice, "device", the),
                         CALL(clReleaseDevice, "device", the),
                         CALL(clRetainDeviceEXT, "device", the),
                         CALL(clReleaseDeviceEXT, "device", the),
                         CALL(clGetDeviceAndHostTimer, "device time host_time", the, &time, &time),
                         CALL(clGetHostTimer, "device host_time", the, &time),
                     });
  calls.refuse(CL_INVALID_PLATFORM, {{"platform", bad<cl_platform_id>()[1]}});
  calls.refuse(CL_INVALID_DEVICE_TYPE, {{"type", {0, 1u << 20}}});
  calls.refuse(CL_DEVICE_NOT_FOUND, {{"type", CL_DEVICE_TYPE_GPU}});
  calls.refuse(CL_INVALID_VALUE, {{"room", 0}});
  calls.refuse(CL_INVALID_VALUE, {{"room", 0}, {"devices", nullptr}, {"count", nullptr}});
  constexpr cl_device_info kOfAnExtension = 0x106A;  // CL_DEVICE_UUID_KHR, which is not announced
  calls.refuse_each(CL_INVALID_VALUE,
                    {{"name", kOfAnExtension}, {"time", nullptr}, {"host_time", nullptr}});
}

TEST_CASE_FIXTURE(Objects, "refusals: dividing devices") {
  REQUIRE(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS) ==
          4);  // as CMake wants it
  constexpr cl_device_partition_property kEqually = CL_DEVICE_PARTITION_EQUALLY,
                                         kCounts = CL_DEVICE_PARTITION_BY_COUNTS;
  const Partition one{kCounts, 1, 0, 0}, two{kEqually, 2, 0};
  cl_device_id parts[8] = {};
  cl_uint count = 0;
  const Calls calls =
      checked(*this, {CALL(clCreateSubDevices, "device properties room devices count", device, one,
                           0, nullptr, &count)});
  const Partition numa{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0};
  calls.refuse(CL_INVALID_VALUE,
               {{"properties",
                 {nullptr, Partition{0x7777, 1, 0}, Partition{kEqually, 0, 0},
                  Partition{kEqually, 1, kEqually, 1, 0}, Partition{kCounts, 0, 0},
                  Partition{kCounts, 1, 0, 7, 0}, numa}}});
  calls.refuse(CL_INVALID_VALUE, {{"properties", two}, {"room", 1}, {"devices", parts}});
  calls.refuse(CL_INVALID_VALUE, {{"room", 0}, {"devices", parts}, {"count", nullptr}});
  calls.refuse(CL_DEVICE_PARTITION_FAILED, {{"device", part}});
  calls.refuse(CL_INVALID_DEVICE_PARTITION_COUNT,
               {{"properties",
                 {Partition{kEqually, 5, 0}, Partition{kCounts, 1, 1, 1, 1, 1, 0, 0},
                  Partition{kCounts, 3, 2, 0, 0}, Partition{kCounts, 5, 0, 0},
                  Partition{kCounts, -1, 0, 0}}}});
}

TEST_CASE_FIXTURE(Objects, "refusals: dividing devices, as cl_ext_device_fission has it") {
  using List = std::vector<cl_device_partition_property_ext>;
  constexpr auto kEnd = CL_PROPERTIES_LIST_END_EXT;
  constexpr cl_device_partition_property_ext kCounts = CL_DEVICE_PARTITION_BY_COUNTS_EXT,
                                             kEqually = CL_DEVICE_PARTITION_EQUALLY_EXT;
  const List two{kEqually, 2, kEnd};
  const List names{CL_DEVICE_PARTITION_BY_NAMES_EXT, 0, CL_PARTITION_BY_NAMES_LIST_END_EXT, kEnd};
  const List numa{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT, CL_AFFINITY_DOMAIN_NUMA_EXT, kEnd};
  cl_device_id parts[8] = {};
  cl_uint count = 0;
  const Calls calls =
      checked(*this, {CALL(clCreateSubDevicesEXT, "device properties room devices count", device,
                           two, 0, nullptr, &count)});
  calls.refuse(
      CL_INVALID_VALUE,
      {{"properties", {nullptr, List{0x7777, 1, kEnd}, List{kEqually, kEnd}, names, numa}}});
  calls.refuse(CL_INVALID_VALUE, {{"room", {0, 1, 0}},
                                  {"devices", {parts, parts, nullptr}},
                                  {"count", {&count, nullptr, nullptr}}});
  calls.refuse(CL_DEVICE_PARTITION_FAILED_EXT,
               {{"device", part},
                {"properties", List{kCounts, 1, CL_PARTITION_BY_COUNTS_LIST_END_EXT, kEnd}}});
  calls.refuse(CL_INVALID_PARTITION_COUNT_EXT,
               {{"properties", List{kCounts, 3, 2, CL_PARTITION_BY_COUNTS_LIST_END_EXT, kEnd}}});
  // Parts are counted.
  REQUIRE(driver().clCreateSubDevicesEXT(device, two.data(), 2, parts, &count) == CL_SUCCESS);
  REQUIRE(count == 2);
  CHECK(driver().clRetainDeviceEXT(parts[0]) == CL_SUCCESS);
  CHECK(info<cl_uint>(clGetDeviceInfo, parts[0], CL_DEVICE_REFERENCE_COUNT_EXT) == 2);
  CHECK(driver().clReleaseDeviceEXT(parts[0]) == CL_SUCCESS);
  for (int i = 0; i < 2; ++i) CHECK(driver().clReleaseDeviceEXT(parts[i]) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Objects, "refusals: contexts") {
  using List = ContextProperties;
  const auto here = reinterpret_cast<cl_context_properties>(the_platform());
  const auto wrong = reinterpret_cast<cl_context_properties>(device);
  const Calls calls =
      checked(*this, {
                         CALL(clCreateContext, "properties count devices notify data", nullptr, 1,
                              &device, nullptr, nullptr),
                         CALL(clCreateContextFromType, "properties type notify data", nullptr,
                              CL_DEVICE_TYPE_CPU, nullptr, nullptr),
                         CALL(clRetainContext, "context", context),
                         CALL(clReleaseContext, "context", context),
                         QUERY(clGetContextInfo, CL_CONTEXT_DEVICES, "context", context),
                         CALL(clSetContextDestructorCallback, "context function user", context,
                              ignore_context, nullptr),
                     });
  calls.refuse(
      CL_INVALID_PLATFORM,
      {{"properties", {List{CL_CONTEXT_PLATFORM, wrong, 0}, List{CL_CONTEXT_PLATFORM, 0, 0}}}});
  calls.refuse(CL_INVALID_PROPERTY,
               {{"properties",
                 {List{0x7777, 1, 0}, List{CL_CONTEXT_INTEROP_USER_SYNC, 2, 0},
                  List{CL_CONTEXT_PLATFORM, here, CL_CONTEXT_PLATFORM, here, 0}}}});
  calls.refuse(CL_INVALID_VALUE, {{"count", {1, 0, 0}}, {"devices", {nullptr, &device, nullptr}}});
  calls.refuse(CL_INVALID_VALUE, {{"data", data}});
  calls.refuse(CL_INVALID_DEVICE, {{"devices", bad_lists<cl_device_id>()}});
  calls.refuse(CL_INVALID_DEVICE_TYPE, {{"type", 0}});
  calls.refuse(CL_DEVICE_NOT_FOUND, {{"type", CL_DEVICE_TYPE_GPU}});
  calls.refuse(CL_INVALID_VALUE, {{"function", nullptr}});
}

TEST_CASE_FIXTURE(Objects, "refusals: creating queues") {
  const auto largest = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  const auto device_queue = [](cl_queue_properties size) {
    return Properties{CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, size, 0};
  };
  const Calls calls =
      checked(*this, {
                         CALL(clCreateCommandQueueWithProperties, "context device properties",
                              context, device, nullptr),
                         CALL(clCreateCommandQueueWithPropertiesKHR, "context device properties",
                              context, device, nullptr),
                         CALL(clCreateCommandQueue, "context device bits", context, device, 0),
                     });
  calls.refuse(CL_INVALID_DEVICE, {{"device", part}});
  calls.refuse(CL_INVALID_VALUE, {{"bits", {1u << 20, kOnDevice}}});
  constexpr cl_queue_properties kBits = CL_QUEUE_PROPERTIES;
  calls.refuse(
      CL_INVALID_VALUE,
      {{"properties",
        {Properties{0x7777, 1, 0}, Properties{kBits, 1u << 20, 0},
         Properties{kBits, 0, kBits, 0, 0}, Properties{CL_QUEUE_SIZE, 64, 0},
         Properties{kBits, CL_QUEUE_ON_DEVICE, 0}, Properties{kBits, CL_QUEUE_ON_DEVICE_DEFAULT, 0},
         Properties{kBits, kOnDevice, CL_QUEUE_SIZE, 64, CL_QUEUE_SIZE, 64, 0}, device_queue(0),
         device_queue(cl_queue_properties{largest} + 1), device_queue(cl_queue_properties{1} << 32),
         device_queue((cl_queue_properties{1} << 32) + 4096)}}});
}

TEST_CASE_FIXTURE(Objects, "refusals: queues") {
  cl_command_queue_properties before = 0;
  std::size_t size = 0;
  const Queue foreign = make_queue(other_context, kOnDevice);
  const Calls calls =
      checked(*this, {
                         CALL(clRetainCommandQueue, "any_queue", queue),
                         CALL(clReleaseCommandQueue, "any_queue", queue),
                         QUERY(clGetCommandQueueInfo, CL_QUEUE_CONTEXT, "any_queue", queue),
                         CALL(clFlush, "queue", queue),
                         CALL(clFinish, "queue", queue),
                         CALL(clSetDefaultDeviceCommandQueue, "context device any_queue", context,
                              device, on_device),
                     });
  calls.refuse(CL_INVALID_COMMAND_QUEUE,
               {{"name", CL_QUEUE_SIZE}, {"size", sizeof size}, {"value", &size}});
  calls.refuse(CL_INVALID_VALUE, {{"name", 0}});
  calls.refuse(CL_INVALID_DEVICE, {{"device", part}});
  calls.refuse(CL_INVALID_COMMAND_QUEUE, "clSetDefaultDeviceCommandQueue",
               {{"any_queue", {queue, foreign}}});
  for (const cl_command_queue none : bad<cl_command_queue>())
    REFUSES(clSetCommandQueueProperty, CL_INVALID_COMMAND_QUEUE, none, 0, CL_TRUE, &before);
  REFUSES(clSetCommandQueueProperty, CL_INVALID_VALUE, queue, 1u << 20, CL_TRUE, &before);
  REFUSES(clSetCommandQueueProperty, CL_INVALID_OPERATION, queue, 0, CL_TRUE, &before);
  REFUSES(clSetCommandQueueProperty, CL_INVALID_OPERATION, queue, CL_QUEUE_PROFILING_ENABLE,
          CL_FALSE, &before);
}

TEST_CASE_FIXTURE(Objects, "refusals: creating buffers") {
  const std::vector<cl_mem_properties> unknown{0x7777, 1, 0};
  const Calls calls =
      checked(*this, {
                         CALL(clCreateBuffer, "context flags size host", context, 0, 64, nullptr),
                         CALL(clCreateBufferWithProperties, "context properties flags size host",
                              context, nullptr, 0, 64, nullptr),
                     });
  calls.refuse(CL_INVALID_PROPERTY, {{"properties", unknown}});
  calls.refuse(
      CL_INVALID_VALUE,
      {{"host", data},
       {"flags",
        {1u << 20, cl_mem_flags{1} << 40, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
         CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
         CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
         CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR}}});
  calls.refuse(CL_INVALID_VALUE, {{"flags",
                                   {1u << 20, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS}}});
  calls.refuse(CL_INVALID_BUFFER_SIZE, {{"size", {0, largest() + 1, SIZE_MAX}}});
  calls.refuse(CL_INVALID_HOST_PTR, {{"flags", {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}}});
  calls.refuse(CL_INVALID_HOST_PTR, {{"host", data}, {"flags", {0, CL_MEM_ALLOC_HOST_PTR}}});
}

TEST_CASE_FIXTURE(Objects, "refusals: creating sub-buffers") {
  const auto made = [&](cl_mem_flags flags) { return buffer(1024, flags); };
  const Memory read_only = made(CL_MEM_READ_ONLY), write_only = made(CL_MEM_WRITE_ONLY);
  const Memory host_reads = made(CL_MEM_HOST_READ_ONLY), host_writes = made(CL_MEM_HOST_WRITE_ONLY);
  const Memory no_host = made(CL_MEM_HOST_NO_ACCESS);
  const Memory child = sub_buffer(memory, 0, 256);
  const cl_buffer_region part{0, 256}, empty{0, 0}, outside{1024, 1}, long_one{256, 1024},
      one_more{512, 513}, around{SIZE_MAX, 2};
  const cl_buffer_region misaligned{1, 16}, also_misaligned{64, 64};
  const Calls calls = checked(*this, {CALL(clCreateSubBuffer, "buffer flags type region", memory, 0,
                                           CL_BUFFER_CREATE_TYPE_REGION, &part)});
  calls.refuse(CL_INVALID_MEM_OBJECT, {{"buffer", child}});
  calls.refuse(CL_INVALID_VALUE, {{"flags",
                                   {1u << 20, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
                                    CL_MEM_COPY_HOST_PTR, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY}}});
  calls.refuse(CL_INVALID_VALUE,
               {{"buffer", write_only}, {"flags", {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY}}});
  calls.refuse(CL_INVALID_VALUE,
               {{"buffer", read_only}, {"flags", {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY}}});
  calls.refuse(CL_INVALID_VALUE, {{"buffer", {host_writes, host_reads}},
                                  {"flags", {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY}}});
  calls.refuse(CL_INVALID_VALUE,
               {{"buffer", no_host}, {"flags", {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY}}});
  calls.refuse_each(
      CL_INVALID_VALUE,
      {{"type", 0x7777}, {"region", {nullptr, &outside, &long_one, &one_more, &around}}});
  calls.refuse(CL_INVALID_BUFFER_SIZE, {{"region", &empty}});
  calls.refuse(CL_MISALIGNED_SUB_BUFFER_OFFSET, {{"region", {&misaligned, &also_misaligned}}});
}

TEST_CASE_FIXTURE(Objects, "refusals: memory objects") {
  const Calls calls =
      checked(*this, {
                         CALL(clRetainMemObject, "memory", memory),
                         CALL(clReleaseMemObject, "memory", memory),
                         CALL(clSetMemObjectDestructorCallback, "memory function data", memory,
                              ignore_memory, nullptr),
                         QUERY(clGetMemObjectInfo, CL_MEM_SIZE, "memory", memory),
                     });
  calls.refuse_each(CL_INVALID_VALUE, {{"function", nullptr}, {"name", 0}});
  const Calls of_others{
      QUERY(clGetImageInfo, CL_IMAGE_WIDTH, "memory", memory),
      QUERY(clGetPipeInfo, CL_PIPE_PACKET_SIZE, "memory", memory),
  };
  of_others.refuse(CL_INVALID_MEM_OBJECT, {{"memory", bad<cl_mem>()}});
  of_others.refuse(CL_INVALID_MEM_OBJECT, {{"memory", memory}});
}

TEST_CASE_FIXTURE(Objects, "refusals: events") {
  const Event command = enqueue_call(queue, [] {}), user = user_event(), failed = user_event();
  clSetUserEventStatus(failed, -7);
  clFinish(queue);
  const cl_event mixed[] = {user, foreign_event}, missing[] = {user, nullptr};
  cl_ulong time = 0;
  const cl_event done = command;
  const Calls calls =
      checked(*this, {
                         CALL(clCreateUserEvent, "context", context),
                         CALL(clSetEventCallback, "event status function data", user, CL_COMPLETE,
                              ignore_event, nullptr),
                         QUERY(clGetEventInfo, CL_EVENT_CONTEXT, "event", user),
                         CALL(clGetEventProfilingInfo, "event name size value size_ret", done,
                              CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
                         CALL(clRetainEvent, "event", user),
                         CALL(clReleaseEvent, "event", user),
                         CALL(clWaitForEvents, "count list", 1, &done),
                     });
  calls.refuse_each(CL_INVALID_EVENT,
                    {{"event", bad<cl_event>()}, {"list", bad_lists<cl_event>()}});
  calls.refuse(CL_INVALID_EVENT, {{"count", 2}, {"list", missing}});
  calls.refuse(CL_INVALID_VALUE, {{"count", {0, 1}}, {"list", {&user, nullptr}}});
  calls.refuse(CL_INVALID_CONTEXT, {{"count", 2}, {"list", mixed}});
  calls.refuse(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, {{"list", &failed}});
  calls.refuse_each(CL_INVALID_VALUE,
                    {{"function", nullptr}, {"status", {CL_QUEUED, -1}}, {"name", 0}});
  for (const cl_event none : bad<cl_event>())
    REFUSES(clSetUserEventStatus, CL_INVALID_EVENT, none, CL_COMPLETE);
  REFUSES(clSetUserEventStatus, CL_INVALID_EVENT, done, CL_COMPLETE);
  REFUSES(clSetUserEventStatus, CL_INVALID_VALUE, user, CL_SUBMITTED);
  REFUSES(clSetUserEventStatus, CL_INVALID_OPERATION, failed, CL_COMPLETE);

  const Event gate = user_event(), complete = user_event();
  Event blocked;
  const Queue plain = make_queue(context);
  const Event unprofiled = enqueue_call(plain, [] {});
  clFinish(plain);
  CHECK(clSetUserEventStatus(complete, CL_COMPLETE) == CL_SUCCESS);
  CHECK(clEnqueueMarkerWithWaitList(queue, 1, &gate, &blocked) == CL_SUCCESS);
  calls.refuse(CL_PROFILING_INFO_NOT_AVAILABLE, "clGetEventProfilingInfo",
               {{"event", {user, complete, unprofiled, blocked}}});
  CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
}

}  // namespace
}  // namespace transpire::test::refusals_objects_tests
