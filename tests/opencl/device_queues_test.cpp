// Queues of the device: how they are made, which is the default one, and how long they live. What kernels do with them:
// enqueue_test.cpp. Bad arguments: refusals_*_test.cpp.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/opencl/host.h"
#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

constexpr cl_command_queue_properties kDefault = kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT;

cl_command_queue default_of(cl_command_queue queue) {
  return info<cl_command_queue>(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE_DEFAULT);
}

cl_uint size_of(cl_command_queue queue) {
  return info<cl_uint>(clGetCommandQueueInfo, queue, CL_QUEUE_SIZE);
}

cl_uint references_of(cl_command_queue queue) {
  return info<cl_uint>(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
}

}  // namespace

TEST_CASE("device queues: what the device says") {
  const cl_device_id device = the_device();
  CHECK(info<cl_command_queue_properties>(clGetDeviceInfo, device,
                                          CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES) ==
        (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE));
  const auto number = [&](cl_device_info name) {
    return info<cl_uint>(clGetDeviceInfo, device, name);
  };
  CHECK(number(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE) >= 16u << 10);
  CHECK(number(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE) >= 256u << 10);
  CHECK(number(CL_DEVICE_MAX_ON_DEVICE_QUEUES) >= 1);
  CHECK(number(CL_DEVICE_MAX_ON_DEVICE_EVENTS) >= 1024);
  CHECK(info<cl_device_device_enqueue_capabilities>(clGetDeviceInfo, device,
                                                    CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) ==
        (CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT));
}

TEST_CASE("device queues: every version of OpenCL C up to the device's is there") {
  std::size_t size = 0;
  REQUIRE(clGetDeviceInfo(the_device(), CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, nullptr, &size) ==
          CL_SUCCESS);
  std::vector<cl_name_version> versions(size / sizeof(cl_name_version));
  REQUIRE(clGetDeviceInfo(the_device(), CL_DEVICE_OPENCL_C_ALL_VERSIONS, size, versions.data(),
                          nullptr) == CL_SUCCESS);
  std::string text;
  for (const cl_name_version& version : versions)
    text += std::to_string(CL_VERSION_MAJOR(version.version)) + "." +
            std::to_string(CL_VERSION_MINOR(version.version)) + " ";
  CHECK(text == "1.0 1.1 1.2 2.0 3.0 ");
}

TEST_CASE("device queues: what one says of itself") {
  const Setup setup;
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_PROFILING_ENABLE,
                                      CL_QUEUE_SIZE, 4096, 0};
  cl_int code = 1;
  const cl_command_queue queue =
      clCreateCommandQueueWithProperties(setup.context, setup.device, list, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(info<cl_context>(clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT) == setup.context);
  CHECK(info<cl_device_id>(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE) == setup.device);
  CHECK(info<cl_command_queue_properties>(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES) ==
        (kOnDevice | CL_QUEUE_PROFILING_ENABLE));
  CHECK(size_of(queue) == 4096);
  cl_queue_properties found[5] = {};
  CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof found, found, nullptr) ==
        CL_SUCCESS);
  CHECK((found[2] == CL_QUEUE_SIZE && found[3] == 4096 && found[4] == 0));
  CHECK(clRetainCommandQueue(queue) == CL_SUCCESS);
  CHECK(references_of(queue) == 2);
  CHECK(clReleaseCommandQueue(queue) == CL_SUCCESS);
  CHECK(clReleaseCommandQueue(queue) == CL_SUCCESS);
  CHECK(size_of(setup.on_device) ==
        info<cl_uint>(clGetDeviceInfo, setup.device, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
}

TEST_CASE("device queues: sizes from one byte to the largest") {
  const Setup setup;
  const auto most =
      info<cl_uint>(clGetDeviceInfo, setup.device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  for (const cl_uint size : {cl_uint{1}, most}) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, size, 0};
    const cl_command_queue queue =
        clCreateCommandQueueWithProperties(setup.context, setup.device, list, nullptr);
    REQUIRE(queue != nullptr);
    CHECK(size_of(queue) == size);
    clReleaseCommandQueue(queue);
  }
}

TEST_CASE("device queues: there is one default queue, which is made once") {
  const Setup setup;
  CHECK(default_of(setup.queue) == nullptr);
  const cl_command_queue first = make_queue(setup.context, kDefault);
  CHECK(default_of(setup.queue) == first);
  CHECK(default_of(setup.on_device) == first);
  CHECK(default_of(first) == first);
  const cl_queue_properties smaller[] = {CL_QUEUE_PROPERTIES, kDefault, CL_QUEUE_SIZE, 1024, 0};
  const cl_command_queue second =
      clCreateCommandQueueWithProperties(setup.context, setup.device, smaller, nullptr);
  CHECK(second == first);
  CHECK(references_of(first) == 2);
  CHECK(size_of(first) != 1024);
  // Other contexts have their own.
  const cl_command_queue foreign = make_queue(setup.other_context, kDefault);
  CHECK(foreign != first);
  clReleaseCommandQueue(foreign);
  clReleaseCommandQueue(first);
  CHECK(default_of(setup.queue) == first);
  clReleaseCommandQueue(first);
  CHECK(default_of(setup.queue) == nullptr);
  const cl_command_queue third =
      clCreateCommandQueueWithProperties(setup.context, setup.device, smaller, nullptr);
  CHECK(size_of(third) == 1024);
  clReleaseCommandQueue(third);
}

TEST_CASE("device queues: the default queue can be replaced") {
  const Setup setup;
  const auto set = [&](cl_command_queue queue) {
    return clSetDefaultDeviceCommandQueue(setup.context, setup.device, queue);
  };
  CHECK(set(setup.on_device) == CL_SUCCESS);
  CHECK(default_of(setup.queue) == setup.on_device);
  const cl_command_queue same = make_queue(setup.context, kDefault);
  CHECK(same == setup.on_device);
  clReleaseCommandQueue(same);
  const cl_command_queue other = make_queue(setup.context, kOnDevice);
  CHECK(set(other) == CL_SUCCESS);
  CHECK(default_of(setup.queue) == other);
  clReleaseCommandQueue(other);
  CHECK(default_of(setup.queue) == nullptr);
}

TEST_CASE("device queues: as many as the device says, and no more") {
  const Setup setup;
  const auto most = info<cl_uint>(clGetDeviceInfo, setup.device, CL_DEVICE_MAX_ON_DEVICE_QUEUES);
  std::vector<cl_command_queue> queues{setup.on_device};
  while (queues.size() < most) queues.push_back(make_queue(setup.context, kOnDevice));
  CHECK(queues.back() != nullptr);
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice, 0};
  CHECK(error_of([&](cl_int* error) {
          return clCreateCommandQueueWithProperties(setup.context, setup.device, list, error);
        }) == CL_OUT_OF_RESOURCES);
  for (std::size_t i = 1; i < queues.size(); ++i) clReleaseCommandQueue(queues[i]);
}

TEST_CASE("device queues: devices of a context have a default queue each") {
  const cl_device_partition_property two[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id parts[2] = {};
  REQUIRE(clCreateSubDevices(the_device(), two, 2, parts, nullptr) == CL_SUCCESS);
  const cl_context context = clCreateContext(nullptr, 2, parts, nullptr, nullptr, nullptr);
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kDefault, 0};
  const cl_command_queue queues[] = {
      clCreateCommandQueueWithProperties(context, parts[0], list, nullptr),
      clCreateCommandQueueWithProperties(context, parts[1], list, nullptr)};
  CHECK(queues[0] != queues[1]);
  CHECK(default_of(queues[1]) == queues[1]);
  CHECK(clSetDefaultDeviceCommandQueue(context, parts[0], queues[1]) == CL_INVALID_COMMAND_QUEUE);
  for (const cl_command_queue queue : queues) clReleaseCommandQueue(queue);
  clReleaseContext(context);
  for (const cl_device_id part : parts) clReleaseDevice(part);
}

}  // namespace transpire::test
