// Queues of the device: how they are made, which is the default one, and how long they live. Kernels that use them:
// enqueue_test.cpp. Bad arguments: refusals_*_test.cpp.
#include "tests/opencl/support.h"

namespace transpire::test::device_queues_tests {
namespace {

template <class T>
T queue_info(cl_command_queue queue, cl_command_queue_info name) {
  return info<T>(clGetCommandQueueInfo, queue, name);
}
cl_command_queue default_of(cl_command_queue queue) {
  return queue_info<cl_command_queue>(queue, CL_QUEUE_DEVICE_DEFAULT);
}
cl_uint size_of(cl_command_queue queue) { return queue_info<cl_uint>(queue, CL_QUEUE_SIZE); }
cl_uint references_of(cl_command_queue queue) {
  return queue_info<cl_uint>(queue, CL_QUEUE_REFERENCE_COUNT);
}

cl_uint device_number(cl_device_info name) {
  return info<cl_uint>(clGetDeviceInfo, the_device(), name);
}

Queue sized(cl_context context, cl_command_queue_properties bits, cl_uint size) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, CL_QUEUE_SIZE, size, 0};
  Queue queue = clCreateCommandQueueWithProperties(context, the_device(), list, nullptr);
  REQUIRE(queue != nullptr);
  return queue;
}

TEST_CASE("device queues: what the device says") {
  CHECK(info<cl_command_queue_properties>(clGetDeviceInfo, the_device(),
                                          CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES) ==
        (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE));
  CHECK(device_number(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE) >= 16u << 10);
  CHECK(device_number(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE) >= 256u << 10);
  CHECK(device_number(CL_DEVICE_MAX_ON_DEVICE_QUEUES) >= 1);
  CHECK(device_number(CL_DEVICE_MAX_ON_DEVICE_EVENTS) >= 1024);
  CHECK(info<cl_device_device_enqueue_capabilities>(clGetDeviceInfo, the_device(),
                                                    CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) ==
        (CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT));
}

TEST_CASE("device queues: every version of OpenCL C up to the device's is there") {
  std::string text;
  for (const cl_name_version& each :
       list_info<cl_name_version>(clGetDeviceInfo, the_device(), CL_DEVICE_OPENCL_C_ALL_VERSIONS))
    text += std::to_string(CL_VERSION_MAJOR(each.version)) + "." +
            std::to_string(CL_VERSION_MINOR(each.version)) + " ";
  CHECK(text == "1.0 1.1 1.2 2.0 3.0 ");
}

TEST_CASE_FIXTURE(Setup, "device queues: what one says of itself") {
  constexpr cl_command_queue_properties kBits = kOnDevice | CL_QUEUE_PROFILING_ENABLE;
  const Queue queue = sized(context, kBits, 4096);
  CHECK(queue_info<cl_context>(queue, CL_QUEUE_CONTEXT) == context);
  CHECK(queue_info<cl_device_id>(queue, CL_QUEUE_DEVICE) == device);
  CHECK(queue_info<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES) == kBits);
  CHECK(size_of(queue) == 4096);
  CHECK(list_info<cl_queue_properties>(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES_ARRAY) ==
        std::vector<cl_queue_properties>{CL_QUEUE_PROPERTIES, kBits, CL_QUEUE_SIZE, 4096, 0});
  CHECK(clRetainCommandQueue(queue) == CL_SUCCESS);
  CHECK(references_of(queue) == 2);
  CHECK(clReleaseCommandQueue(queue) == CL_SUCCESS);
  CHECK(references_of(queue) == 1);
  CHECK(size_of(on_device) == device_number(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
}

TEST_CASE_FIXTURE(Setup, "device queues: sizes from one byte to the largest") {
  for (const cl_uint size : {cl_uint{1}, device_number(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE)})
    CHECK(size_of(sized(context, kOnDevice, size)) == size);
}

TEST_CASE_FIXTURE(Setup, "device queues: there is one default queue, which is made once") {
  CHECK(default_of(this->queue) == nullptr);
  Queue first = make_queue(context, kDefaultOnDevice);
  for (const cl_command_queue queue : {this->queue, on_device, cl_command_queue{first}})
    CHECK(default_of(queue) == first);
  Queue second = sized(context, kDefaultOnDevice, 1024);
  CHECK(second == first);
  CHECK(references_of(first) == 2);
  CHECK(size_of(first) != 1024);
  // Other contexts have their own.
  CHECK(Queue(make_queue(other_context, kDefaultOnDevice)) != first);
  first.drop();
  CHECK(default_of(this->queue) == second);
  second.drop();
  CHECK(default_of(this->queue) == nullptr);
  CHECK(size_of(sized(context, kDefaultOnDevice, 1024)) == 1024);
}

TEST_CASE_FIXTURE(Setup, "device queues: the default queue can be replaced") {
  const auto replace = [&](cl_command_queue queue) {
    return clSetDefaultDeviceCommandQueue(context, device, queue);
  };
  CHECK(replace(on_device) == CL_SUCCESS);
  CHECK(default_of(this->queue) == on_device);
  CHECK(Queue(make_queue(context, kDefaultOnDevice)) == on_device);
  Queue other = make_queue(context, kOnDevice);
  CHECK(replace(other) == CL_SUCCESS);
  CHECK(default_of(this->queue) == other);
  other.drop();
  CHECK(default_of(this->queue) == nullptr);
}

TEST_CASE_FIXTURE(Setup, "device queues: as many as the device says, and no more") {
  std::vector<Queue> queues;
  while (queues.size() + 1 < device_number(CL_DEVICE_MAX_ON_DEVICE_QUEUES))  // and on_device
    queues.emplace_back(make_queue(context, kOnDevice));
  CHECK(queues.back() != nullptr);
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice, 0};
  CHECK(error_of([&](cl_int* error) {
          return clCreateCommandQueueWithProperties(context, device, list, error);
        }) == CL_OUT_OF_RESOURCES);
}

TEST_CASE("device queues: devices of a context have a default queue each") {
  const Parts parts({1, 1});
  const Context context =
      clCreateContext(nullptr, 2, parts.devices.data(), nullptr, nullptr, nullptr);
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kDefaultOnDevice, 0};
  const Queue first = clCreateCommandQueueWithProperties(context, parts.devices[0], list, nullptr);
  const Queue second = clCreateCommandQueueWithProperties(context, parts.devices[1], list, nullptr);
  CHECK(first != second);
  CHECK(default_of(second) == second);
  CHECK(clSetDefaultDeviceCommandQueue(context, parts.devices[0], second) ==
        CL_INVALID_COMMAND_QUEUE);
}

}  // namespace
}  // namespace transpire::test::device_queues_tests
