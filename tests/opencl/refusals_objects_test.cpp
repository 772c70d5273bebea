// Bad arguments of functions on platforms, devices, contexts, queues and memory objects.
// OpenCL 2.2 API, chapter 4 and sections 5.1, 5.2 and 5.5.
#include <string>

#include "tests/opencl/refusals.h"

namespace transpire::test {
namespace {

void CL_CALLBACK ignore_context(cl_context, void*) {}
void CL_CALLBACK ignore_memory(cl_mem, void*) {}

/// With a part of the machine, which is a device of none of its contexts.
struct Objects : Setup {
  cl_device_id part = nullptr;
  cl_mem buffer = clCreateBuffer(context, 0, 1024, nullptr, nullptr);
  char data[4096] = {};
  int number = 0;
  void* const user_data = &number;

  Objects() {
    const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    REQUIRE(clCreateSubDevices(device, one, 1, &part, nullptr) == CL_SUCCESS);
  }
  ~Objects() {
    clReleaseMemObject(buffer);
    clReleaseDevice(part);
  }
};

}  // namespace

TEST_CASE("refusals: platforms") {
  const Objects setup;
  cl_platform_id platform = nullptr;
  REFUSES(clGetPlatformIDs, CL_INVALID_VALUE, 0, &platform, nullptr);
  REFUSES(clGetPlatformIDs, CL_INVALID_VALUE, 1, nullptr, nullptr);
  REFUSES(clIcdGetPlatformIDsKHR, CL_INVALID_VALUE, 0, &platform, nullptr);
  REFUSES(clIcdGetPlatformIDsKHR, CL_INVALID_VALUE, 1, nullptr, nullptr);
  const cl_platform_id wrong = bad<cl_platform_id>()[1];  // null may be the one there is
  char text[4];
  REFUSES(clGetPlatformInfo, CL_INVALID_PLATFORM, wrong, CL_PLATFORM_NAME, 0, nullptr, nullptr);
  REFUSES(clGetPlatformInfo, CL_INVALID_VALUE, the_platform(), 0, 0, nullptr, nullptr);
  REFUSES(clGetPlatformInfo, CL_INVALID_VALUE, the_platform(), CL_PLATFORM_NAME, 4, text, nullptr);
  for (const cl_platform_id none : bad<cl_platform_id>())
    REFUSES(clUnloadPlatformCompiler, CL_INVALID_PLATFORM, none);
  CHECK(driver().clUnloadPlatformCompiler(the_platform()) == CL_SUCCESS);
  CHECK(driver().clUnloadCompiler() == CL_SUCCESS);
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

TEST_CASE("refusals: devices") {
  const Objects setup;
  cl_device_id device = nullptr;
  cl_uint count = 0;
  cl_ulong time = 0;
  REFUSES(clGetDeviceIDs, CL_INVALID_PLATFORM, bad<cl_platform_id>()[1], CL_DEVICE_TYPE_CPU, 1,
          &device, nullptr);
  REFUSES(clGetDeviceIDs, CL_INVALID_DEVICE_TYPE, the_platform(), 0, 1, &device, nullptr);
  REFUSES(clGetDeviceIDs, CL_INVALID_DEVICE_TYPE, the_platform(), 1u << 20, 1, &device, nullptr);
  REFUSES(clGetDeviceIDs, CL_INVALID_VALUE, the_platform(), CL_DEVICE_TYPE_CPU, 0, &device, &count);
  REFUSES(clGetDeviceIDs, CL_INVALID_VALUE, the_platform(), CL_DEVICE_TYPE_CPU, 0, nullptr,
          nullptr);
  REFUSES(clGetDeviceIDs, CL_DEVICE_NOT_FOUND, the_platform(), CL_DEVICE_TYPE_GPU, 1, &device,
          &count);
  for (const cl_device_id none : bad<cl_device_id>()) {
    REFUSES(clGetDeviceInfo, CL_INVALID_DEVICE, none, CL_DEVICE_TYPE, 0, nullptr, nullptr);
    REFUSES(clRetainDevice, CL_INVALID_DEVICE, none);
    REFUSES(clReleaseDevice, CL_INVALID_DEVICE, none);
    REFUSES(clRetainDeviceEXT, CL_INVALID_DEVICE, none);
    REFUSES(clReleaseDeviceEXT, CL_INVALID_DEVICE, none);
    REFUSES(clGetDeviceAndHostTimer, CL_INVALID_DEVICE, none, &time, &time);
    REFUSES(clGetHostTimer, CL_INVALID_DEVICE, none, &time);
  }
  char byte = 0;
  constexpr cl_device_info kOfAnExtension = 0x106A;  // CL_DEVICE_UUID_KHR, which is not announced
  REFUSES(clGetDeviceInfo, CL_INVALID_VALUE, setup.device, 0x7777, 0, nullptr, nullptr);
  REFUSES(clGetDeviceInfo, CL_INVALID_VALUE, setup.device, kOfAnExtension, 0, nullptr, nullptr);
  REFUSES(clGetDeviceInfo, CL_INVALID_VALUE, setup.device, CL_DEVICE_TYPE, 1, &byte, nullptr);
  REFUSES(clGetDeviceAndHostTimer, CL_INVALID_VALUE, setup.device, nullptr, &time);
  REFUSES(clGetDeviceAndHostTimer, CL_INVALID_VALUE, setup.device, &time, nullptr);
  REFUSES(clGetHostTimer, CL_INVALID_VALUE, setup.device, nullptr);
}

TEST_CASE("refusals: dividing devices") {
  const Objects setup;
  const auto threads = static_cast<cl_device_partition_property>(
      info<cl_uint>(clGetDeviceInfo, setup.device, CL_DEVICE_MAX_COMPUTE_UNITS));
  REQUIRE(threads == 4);  // as CMake wants it
  using List = std::vector<cl_device_partition_property>;
  const List one{CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  const List two{CL_DEVICE_PARTITION_EQUALLY, 2, 0};
  cl_device_id parts[8] = {};
  cl_uint count = 0;
  const cl_device_id device = setup.device;
  for (const cl_device_id none : bad<cl_device_id>())
    REFUSES(clCreateSubDevices, CL_INVALID_DEVICE, none, one.data(), 1, parts, nullptr);
  const List unknown{0x7777, 1, 0}, none_each{CL_DEVICE_PARTITION_EQUALLY, 0, 0};
  const List twice{CL_DEVICE_PARTITION_EQUALLY, 1, CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  const List no_counts{CL_DEVICE_PARTITION_BY_COUNTS, 0, 0};
  const List more{CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 7, 0};
  const List numa{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0};
  REFUSES(clCreateSubDevices, CL_INVALID_VALUE, device, nullptr, 0, nullptr, &count);
  REFUSES(clCreateSubDevices, CL_INVALID_VALUE, device, unknown.data(), 0, nullptr, &count);
  REFUSES(clCreateSubDevices, CL_INVALID_VALUE, device, none_each.data(), 0, nullptr, &count);
  REFUSES(clCreateSubDevices, CL_INVALID_VALUE, device, twice.data(), 0, nullptr, &count);
  REFUSES(clCreateSubDevices, CL_INVALID_VALUE, device, no_counts.data(), 0, nullptr, &count);
  REFUSES(clCreateSubDevices, CL_INVALID_VALUE, device, more.data(), 0, nullptr, &count);
  REFUSES(clCreateSubDevices, CL_INVALID_VALUE, device, numa.data(), 0, nullptr, &count);
  REFUSES(clCreateSubDevices, CL_INVALID_VALUE, device, two.data(), 1, parts, nullptr);
  REFUSES(clCreateSubDevices, CL_DEVICE_PARTITION_FAILED, setup.part, one.data(), 1, parts,
          nullptr);
  const List five{CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 1, 1, 1, 0, 0};
  const List too_many{CL_DEVICE_PARTITION_BY_COUNTS, 3, 2, 0, 0};
  const List huge{CL_DEVICE_PARTITION_BY_COUNTS, 5, 0, 0};
  const List negative{CL_DEVICE_PARTITION_BY_COUNTS, -1, 0, 0};
  const List huge_share{CL_DEVICE_PARTITION_EQUALLY, 5, 0};
  REFUSES(clCreateSubDevices, CL_INVALID_DEVICE_PARTITION_COUNT, device, huge_share.data(), 0,
          nullptr, &count);
  REFUSES(clCreateSubDevices, CL_INVALID_DEVICE_PARTITION_COUNT, device, five.data(), 0, nullptr,
          &count);
  REFUSES(clCreateSubDevices, CL_INVALID_DEVICE_PARTITION_COUNT, device, too_many.data(), 0,
          nullptr, &count);
  REFUSES(clCreateSubDevices, CL_INVALID_DEVICE_PARTITION_COUNT, device, huge.data(), 0, nullptr,
          &count);
  REFUSES(clCreateSubDevices, CL_INVALID_DEVICE_PARTITION_COUNT, device, negative.data(), 0,
          nullptr, &count);
}

TEST_CASE("refusals: dividing devices, as cl_ext_device_fission has it") {
  const Objects setup;
  using List = std::vector<cl_device_partition_property_ext>;
  constexpr auto kEnd = CL_PROPERTIES_LIST_END_EXT;
  const List one{CL_DEVICE_PARTITION_BY_COUNTS_EXT, 1, CL_PARTITION_BY_COUNTS_LIST_END_EXT, kEnd};
  const List two{CL_DEVICE_PARTITION_EQUALLY_EXT, 2, kEnd};
  cl_device_id parts[8] = {};
  cl_uint count = 0;
  const cl_device_id device = setup.device;
  for (const cl_device_id none : bad<cl_device_id>())
    REFUSES(clCreateSubDevicesEXT, CL_INVALID_DEVICE, none, one.data(), 1, parts, nullptr);
  const List unknown{0x7777, 1, kEnd}, none_each{CL_DEVICE_PARTITION_EQUALLY_EXT, kEnd};
  const List names{CL_DEVICE_PARTITION_BY_NAMES_EXT, 0, CL_PARTITION_BY_NAMES_LIST_END_EXT, kEnd};
  const List numa{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT, CL_AFFINITY_DOMAIN_NUMA_EXT, kEnd};
  REFUSES(clCreateSubDevicesEXT, CL_INVALID_VALUE, device, nullptr, 0, nullptr, &count);
  REFUSES(clCreateSubDevicesEXT, CL_INVALID_VALUE, device, unknown.data(), 0, nullptr, &count);
  REFUSES(clCreateSubDevicesEXT, CL_INVALID_VALUE, device, none_each.data(), 0, nullptr, &count);
  REFUSES(clCreateSubDevicesEXT, CL_INVALID_VALUE, device, names.data(), 0, nullptr, &count);
  REFUSES(clCreateSubDevicesEXT, CL_INVALID_VALUE, device, numa.data(), 0, nullptr, &count);
  REFUSES(clCreateSubDevicesEXT, CL_INVALID_VALUE, device, two.data(), 0, parts, &count);
  REFUSES(clCreateSubDevicesEXT, CL_INVALID_VALUE, device, two.data(), 0, nullptr, nullptr);
  REFUSES(clCreateSubDevicesEXT, CL_INVALID_VALUE, device, two.data(), 1, parts, nullptr);
  REFUSES(clCreateSubDevicesEXT, CL_DEVICE_PARTITION_FAILED_EXT, setup.part, one.data(), 1, parts,
          nullptr);
  const List too_many{CL_DEVICE_PARTITION_BY_COUNTS_EXT, 3, 2, CL_PARTITION_BY_COUNTS_LIST_END_EXT,
                      kEnd};
  REFUSES(clCreateSubDevicesEXT, CL_INVALID_PARTITION_COUNT_EXT, device, too_many.data(), 0,
          nullptr, &count);
  // And what it accepts.
  REQUIRE(driver().clCreateSubDevicesEXT(device, two.data(), 2, parts, &count) == CL_SUCCESS);
  REQUIRE(count == 2);
  CHECK(driver().clRetainDeviceEXT(parts[0]) == CL_SUCCESS);
  CHECK(info<cl_uint>(clGetDeviceInfo, parts[0], CL_DEVICE_REFERENCE_COUNT_EXT) == 2);
  CHECK(driver().clReleaseDeviceEXT(parts[0]) == CL_SUCCESS);
  for (int i = 0; i < 2; ++i) CHECK(driver().clReleaseDeviceEXT(parts[i]) == CL_SUCCESS);
}

TEST_CASE("refusals: contexts") {
  const Objects setup;
  using List = std::vector<cl_context_properties>;
  const auto here = reinterpret_cast<cl_context_properties>(the_platform());
  const List wrong_platform{CL_CONTEXT_PLATFORM,
                            reinterpret_cast<cl_context_properties>(setup.device), 0};
  const List no_platform{CL_CONTEXT_PLATFORM, 0, 0};
  const List unknown{0x7777, 1, 0}, wrong_value{CL_CONTEXT_INTEROP_USER_SYNC, 2, 0};
  const List twice{CL_CONTEXT_PLATFORM, here, CL_CONTEXT_PLATFORM, here, 0};
  const cl_device_id* const one = &setup.device;
  void* const user_data = setup.user_data;
  REFUSES_TO_MAKE(clCreateContext, CL_INVALID_PLATFORM, wrong_platform.data(), 1, one, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clCreateContext, CL_INVALID_PLATFORM, no_platform.data(), 1, one, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clCreateContext, CL_INVALID_PROPERTY, unknown.data(), 1, one, nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateContext, CL_INVALID_PROPERTY, wrong_value.data(), 1, one, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clCreateContext, CL_INVALID_PROPERTY, twice.data(), 1, one, nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateContext, CL_INVALID_VALUE, nullptr, 1, nullptr, nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateContext, CL_INVALID_VALUE, nullptr, 0, one, nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateContext, CL_INVALID_VALUE, nullptr, 1, one, nullptr, user_data);
  for (const cl_device_id none : bad<cl_device_id>())
    REFUSES_TO_MAKE(clCreateContext, CL_INVALID_DEVICE, nullptr, 1, &none, nullptr, nullptr);

  constexpr cl_device_type kCpu = CL_DEVICE_TYPE_CPU;
  REFUSES_TO_MAKE(clCreateContextFromType, CL_INVALID_PLATFORM, wrong_platform.data(), kCpu,
                  nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateContextFromType, CL_INVALID_PLATFORM, no_platform.data(), kCpu, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clCreateContextFromType, CL_INVALID_PROPERTY, unknown.data(), kCpu, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clCreateContextFromType, CL_INVALID_PROPERTY, wrong_value.data(), kCpu, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clCreateContextFromType, CL_INVALID_PROPERTY, twice.data(), kCpu, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clCreateContextFromType, CL_INVALID_VALUE, nullptr, kCpu, nullptr, user_data);
  REFUSES_TO_MAKE(clCreateContextFromType, CL_INVALID_DEVICE_TYPE, nullptr, 0, nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateContextFromType, CL_DEVICE_NOT_FOUND, nullptr, CL_DEVICE_TYPE_GPU,
                  nullptr, nullptr);

  for (const cl_context none : bad<cl_context>()) {
    REFUSES(clRetainContext, CL_INVALID_CONTEXT, none);
    REFUSES(clReleaseContext, CL_INVALID_CONTEXT, none);
    REFUSES(clGetContextInfo, CL_INVALID_CONTEXT, none, CL_CONTEXT_DEVICES, 0, nullptr, nullptr);
    REFUSES(clSetContextDestructorCallback, CL_INVALID_CONTEXT, none, ignore_context, nullptr);
  }
  char byte = 0;
  REFUSES(clGetContextInfo, CL_INVALID_VALUE, setup.context, 0x7777, 0, nullptr, nullptr);
  REFUSES(clGetContextInfo, CL_INVALID_VALUE, setup.context, CL_CONTEXT_DEVICES, 1, &byte, nullptr);
  REFUSES(clSetContextDestructorCallback, CL_INVALID_VALUE, setup.context, nullptr, nullptr);
}

TEST_CASE("refusals: creating queues") {
  const Objects setup;
  const cl_queue_properties unknown[] = {0x7777, 1, 0};
  const cl_queue_properties wrong_bits[] = {CL_QUEUE_PROPERTIES, 1u << 20, 0};
  const cl_queue_properties twice[] = {CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0};
  const cl_queue_properties size_of_host_queue[] = {CL_QUEUE_SIZE, 64, 0};
  const cl_queue_properties in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
  const cl_queue_properties default_host[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  const cl_queue_properties too_large[] = {
      CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE,
      cl_queue_properties{
          info<cl_uint>(clGetDeviceInfo, setup.device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE)} +
          1,
      0};
  const cl_queue_properties beyond_32_bits[] = {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE,
                                                (cl_queue_properties{1} << 32) + 4096, 0};
  const cl_queue_properties no_size[] = {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, 0, 0};
  const cl_context context = setup.context;
  const cl_device_id device = setup.device;
  for (const cl_context none : bad<cl_context>()) {
    REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_CONTEXT, none, device, nullptr);
    REFUSES_TO_MAKE(clCreateCommandQueueWithPropertiesKHR, CL_INVALID_CONTEXT, none, device,
                    nullptr);
    REFUSES_TO_MAKE(clCreateCommandQueue, CL_INVALID_CONTEXT, none, device, 0);
  }
  for (const cl_device_id none : bad<cl_device_id>()) {
    REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_DEVICE, context, none, nullptr);
    REFUSES_TO_MAKE(clCreateCommandQueueWithPropertiesKHR, CL_INVALID_DEVICE, context, none,
                    nullptr);
    REFUSES_TO_MAKE(clCreateCommandQueue, CL_INVALID_DEVICE, context, none, 0);
  }
  REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_DEVICE, context, setup.part,
                  nullptr);
  REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_VALUE, context, device, unknown);
  REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_VALUE, context, device,
                  wrong_bits);
  REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_VALUE, context, device, twice);
  REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_VALUE, context, device,
                  size_of_host_queue);
  REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_VALUE, context, device, in_order);
  REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_VALUE, context, device,
                  default_host);
  REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_VALUE, context, device, too_large);
  REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_VALUE, context, device,
                  beyond_32_bits);
  REFUSES_TO_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_VALUE, context, device, no_size);
  REFUSES_TO_MAKE(clCreateCommandQueueWithPropertiesKHR, CL_INVALID_DEVICE, context, setup.part,
                  nullptr);
  REFUSES_TO_MAKE(clCreateCommandQueueWithPropertiesKHR, CL_INVALID_VALUE, context, device,
                  unknown);
  REFUSES_TO_MAKE(clCreateCommandQueueWithPropertiesKHR, CL_INVALID_VALUE, context, device,
                  wrong_bits);
  REFUSES_TO_MAKE(clCreateCommandQueueWithPropertiesKHR, CL_INVALID_VALUE, context, device, twice);
  REFUSES_TO_MAKE(clCreateCommandQueueWithPropertiesKHR, CL_INVALID_VALUE, context, device,
                  no_size);
  REFUSES_TO_MAKE(clCreateCommandQueue, CL_INVALID_DEVICE, context, setup.part, 0);
  REFUSES_TO_MAKE(clCreateCommandQueue, CL_INVALID_VALUE, context, device, 1u << 20);
  REFUSES_TO_MAKE(clCreateCommandQueue, CL_INVALID_VALUE, context, device, kOnDevice);
}

TEST_CASE("refusals: queues") {
  const Objects setup;
  cl_command_queue_properties before = 0;
  for (const cl_command_queue none : bad<cl_command_queue>()) {
    REFUSES(clRetainCommandQueue, CL_INVALID_COMMAND_QUEUE, none);
    REFUSES(clReleaseCommandQueue, CL_INVALID_COMMAND_QUEUE, none);
    REFUSES(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE, none, CL_QUEUE_CONTEXT, 0, nullptr,
            nullptr);
    REFUSES(clSetCommandQueueProperty, CL_INVALID_COMMAND_QUEUE, none, 0, CL_TRUE, &before);
  }
  for (const cl_command_queue none : no_host_queues(setup)) {
    REFUSES(clFlush, CL_INVALID_COMMAND_QUEUE, none);
    REFUSES(clFinish, CL_INVALID_COMMAND_QUEUE, none);
  }
  char byte = 0;
  std::size_t size = 0;
  REFUSES(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE, setup.queue, CL_QUEUE_SIZE, sizeof size,
          &size, nullptr);
  REFUSES(clGetCommandQueueInfo, CL_INVALID_VALUE, setup.queue, 0x7777, 0, nullptr, nullptr);
  REFUSES(clGetCommandQueueInfo, CL_INVALID_VALUE, setup.queue, CL_QUEUE_CONTEXT, 1, &byte,
          nullptr);
  REFUSES(clSetCommandQueueProperty, CL_INVALID_VALUE, setup.queue, 1u << 20, CL_TRUE, &before);
  REFUSES(clSetCommandQueueProperty, CL_INVALID_OPERATION, setup.queue, 0, CL_TRUE, &before);
  for (const cl_context none : bad<cl_context>())
    REFUSES(clSetDefaultDeviceCommandQueue, CL_INVALID_CONTEXT, none, setup.device, setup.queue);
  for (const cl_device_id none : bad<cl_device_id>())
    REFUSES(clSetDefaultDeviceCommandQueue, CL_INVALID_DEVICE, setup.context, none, setup.queue);
  REFUSES(clSetDefaultDeviceCommandQueue, CL_INVALID_DEVICE, setup.context, setup.part,
          setup.queue);
  for (const cl_command_queue none : bad<cl_command_queue>())
    REFUSES(clSetDefaultDeviceCommandQueue, CL_INVALID_COMMAND_QUEUE, setup.context, setup.device,
            none);
  REFUSES(clSetDefaultDeviceCommandQueue, CL_INVALID_COMMAND_QUEUE, setup.context, setup.device,
          setup.queue);
  const cl_command_queue foreign = make_queue(setup.other_context, kOnDevice);
  REFUSES(clSetDefaultDeviceCommandQueue, CL_INVALID_COMMAND_QUEUE, setup.context, setup.device,
          foreign);
  clReleaseCommandQueue(foreign);
}

TEST_CASE("refusals: creating buffers") {
  Objects setup;
  const cl_context context = setup.context;
  void* const data = setup.data;
  const auto largest = static_cast<std::size_t>(
      info<cl_ulong>(clGetDeviceInfo, setup.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  for (const cl_context none : bad<cl_context>()) {
    REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_CONTEXT, none, 0, 64, nullptr);
    REFUSES_TO_MAKE(clCreateBufferWithProperties, CL_INVALID_CONTEXT, none, nullptr, 0, 64,
                    nullptr);
  }
  constexpr cl_mem_flags kUse = CL_MEM_USE_HOST_PTR, kCopy = CL_MEM_COPY_HOST_PTR;
  REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_VALUE, context, 1u << 20, 64, nullptr);
  REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_VALUE, context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                  64, nullptr);
  REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_VALUE, context,
                  CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, nullptr);
  REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_VALUE, context, kUse | CL_MEM_ALLOC_HOST_PTR, 64,
                  data);
  REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_VALUE, context, kUse | kCopy, 64, data);
  REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_BUFFER_SIZE, context, 0, 0, nullptr);
  REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_BUFFER_SIZE, context, 0, largest + 1, nullptr);
  REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_HOST_PTR, context, kUse, 64, nullptr);
  REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_HOST_PTR, context, kCopy, 64, nullptr);
  REFUSES_TO_MAKE(clCreateBuffer, CL_INVALID_HOST_PTR, context, 0, 64, data);
  const cl_mem_properties unknown[] = {0x7777, 1, 0};
  REFUSES_TO_MAKE(clCreateBufferWithProperties, CL_INVALID_PROPERTY, context, unknown, 0, 64,
                  nullptr);
  REFUSES_TO_MAKE(clCreateBufferWithProperties, CL_INVALID_VALUE, context, nullptr, 1u << 20, 64,
                  nullptr);
  REFUSES_TO_MAKE(clCreateBufferWithProperties, CL_INVALID_BUFFER_SIZE, context, nullptr, 0, 0,
                  nullptr);
  REFUSES_TO_MAKE(clCreateBufferWithProperties, CL_INVALID_BUFFER_SIZE, context, nullptr, 0,
                  largest + 1, nullptr);
  REFUSES_TO_MAKE(clCreateBufferWithProperties, CL_INVALID_HOST_PTR, context, nullptr, kUse, 64,
                  nullptr);
  REFUSES_TO_MAKE(clCreateBufferWithProperties, CL_INVALID_HOST_PTR, context, nullptr, 0, 64, data);
}

TEST_CASE("refusals: creating sub-buffers") {
  const Objects setup;
  const auto made = [&](cl_mem_flags flags) {
    return clCreateBuffer(setup.context, flags, 1024, nullptr, nullptr);
  };
  const cl_mem read_only = made(CL_MEM_READ_ONLY), write_only = made(CL_MEM_WRITE_ONLY);
  const cl_mem host_reads = made(CL_MEM_HOST_READ_ONLY), host_writes = made(CL_MEM_HOST_WRITE_ONLY);
  const cl_mem no_host = made(CL_MEM_HOST_NO_ACCESS);
  constexpr cl_buffer_create_type kRegion = CL_BUFFER_CREATE_TYPE_REGION;
  const cl_buffer_region part{0, 256}, empty{0, 0}, outside{1024, 1}, long_one{256, 1024};
  const cl_buffer_region misaligned{1, 16};
  for (const cl_mem none : bad<cl_mem>())
    REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_MEM_OBJECT, none, 0, kRegion, &part);
  const cl_mem child = clCreateSubBuffer(setup.buffer, 0, kRegion, &part, nullptr);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_MEM_OBJECT, child, 0, kRegion, &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, setup.buffer, 1u << 20, kRegion, &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, write_only, CL_MEM_READ_WRITE, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, write_only, CL_MEM_READ_ONLY, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, read_only, CL_MEM_READ_WRITE, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, read_only, CL_MEM_WRITE_ONLY, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, setup.buffer, CL_MEM_USE_HOST_PTR, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, setup.buffer, CL_MEM_ALLOC_HOST_PTR, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, setup.buffer, CL_MEM_COPY_HOST_PTR, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, host_writes, CL_MEM_HOST_READ_ONLY, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, host_reads, CL_MEM_HOST_WRITE_ONLY, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, no_host, CL_MEM_HOST_READ_ONLY, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, no_host, CL_MEM_HOST_WRITE_ONLY, kRegion,
                  &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, setup.buffer, 0, 0x7777, &part);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, setup.buffer, 0, kRegion, nullptr);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, setup.buffer, 0, kRegion, &outside);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_VALUE, setup.buffer, 0, kRegion, &long_one);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_INVALID_BUFFER_SIZE, setup.buffer, 0, kRegion, &empty);
  REFUSES_TO_MAKE(clCreateSubBuffer, CL_MISALIGNED_SUB_BUFFER_OFFSET, setup.buffer, 0, kRegion,
                  &misaligned);
  for (const cl_mem memory : {child, read_only, write_only, host_reads, host_writes, no_host})
    clReleaseMemObject(memory);
}

TEST_CASE("refusals: memory objects") {
  const Objects setup;
  for (const cl_mem none : bad<cl_mem>()) {
    REFUSES(clRetainMemObject, CL_INVALID_MEM_OBJECT, none);
    REFUSES(clReleaseMemObject, CL_INVALID_MEM_OBJECT, none);
    REFUSES(clSetMemObjectDestructorCallback, CL_INVALID_MEM_OBJECT, none, ignore_memory, nullptr);
    REFUSES(clGetMemObjectInfo, CL_INVALID_MEM_OBJECT, none, CL_MEM_SIZE, 0, nullptr, nullptr);
    REFUSES(clGetImageInfo, CL_INVALID_MEM_OBJECT, none, CL_IMAGE_WIDTH, 0, nullptr, nullptr);
    REFUSES(clGetPipeInfo, CL_INVALID_MEM_OBJECT, none, CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr);
  }
  char byte = 0;
  REFUSES(clSetMemObjectDestructorCallback, CL_INVALID_VALUE, setup.buffer, nullptr, nullptr);
  REFUSES(clGetMemObjectInfo, CL_INVALID_VALUE, setup.buffer, 0x7777, 0, nullptr, nullptr);
  REFUSES(clGetMemObjectInfo, CL_INVALID_VALUE, setup.buffer, CL_MEM_SIZE, 1, &byte, nullptr);
  REFUSES(clGetImageInfo, CL_INVALID_MEM_OBJECT, setup.buffer, CL_IMAGE_WIDTH, 0, nullptr, nullptr);
  REFUSES(clGetPipeInfo, CL_INVALID_MEM_OBJECT, setup.buffer, CL_PIPE_PACKET_SIZE, 0, nullptr,
          nullptr);
}

}  // namespace transpire::test
