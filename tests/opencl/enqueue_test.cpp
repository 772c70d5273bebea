// What kernels enqueue themselves: through the queues that the host made, as part of the launch.
#include <doctest/doctest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "tests/opencl/host.h"
#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

constexpr cl_command_queue_properties kDefault = kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT;

constexpr const char* kSource = R"(
kernel void square(global int *y, int n) {
  const int code = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), ^{
    y[1 + get_global_id(0)] *= y[1 + get_global_id(0)];
  });
  y[0] = code;
}
kernel void to_queue(queue_t q, global int *y) {
  y[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ y[1] = 7; });
}
kernel void fill(global int *y) {
  int taken = 0, code = 0;
  while (taken < 1000 && code == 0) {
    code = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                          ^{ atomic_inc(y + 1); });
    taken += code == 0;
  }
  y[0] = taken;
  y[2] = code;
}
void descend(global int *y, int depth) {
  y[depth] = depth;
  if (depth + 1 < 50)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                   ^{ descend(y, depth + 1); });
}
kernel void nest(global int *y) { descend(y, 0); }
kernel void in_order(global int *y) {
  const queue_t q = get_default_queue();
  const clk_event_t gate = create_user_event();
  clk_event_t first, second, both;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, &first, ^{ y[0] = 3; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first, &second,
                 ^(local void *p) {
                   ((local int *)p)[0] = y[0];
                   y[1] = ((local int *)p)[0] + 4;
                 }, 4);
  const clk_event_t ends[] = {first, second};
  enqueue_marker(q, 2, ends, &both);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &both, 0,
                 ^{ y[2] = y[0] + y[1]; });
  set_user_event_status(gate, CL_COMPLETE);
  release_event(gate);
  release_event(first);
  release_event(second);
  release_event(both);
}
kernel void slow_child(global int *y) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
    for (int i = 0; i < 3000000; ++i) y[i & 1] += i;
  });
}
kernel void beyond(global int *y) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ y[1000] = 1; });
}
)";

/// Its kernels, and ints for them.
struct Enqueuing : Host {
  cl_program program = nullptr;
  cl_kernel made = nullptr;
  cl_mem buffer = nullptr;

  explicit Enqueuing(const char* options = "-cl-std=CL3.0 -cl-kernel-arg-info")
      : program(built(kSource, options)) {}
  ~Enqueuing() {
    clFinish(queue);
    drop();
    clReleaseProgram(program);
  }
  void drop() {
    if (made != nullptr) clReleaseKernel(made);
    if (buffer != nullptr) clReleaseMemObject(buffer);
  }
  cl_command_queue device_queue(cl_command_queue_properties bits, cl_uint bytes = 1u << 20) const {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, CL_QUEUE_SIZE, bytes, 0};
    cl_int code = 1;
    const cl_command_queue queue_on_device =
        clCreateCommandQueueWithProperties(context, device, list, &code);
    REQUIRE(code == CL_SUCCESS);
    return queue_on_device;
  }
  /// A kernel whose argument of that index is a buffer of the ints.
  void take(const char* name, std::vector<int> ints, cl_uint index = 0) {
    drop();
    made = kernel(program, name);
    buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, ints.size() * sizeof(int), ints.data(),
                            nullptr);
    set(index, buffer);
  }
  template <class T>
  void set(cl_uint index, const T& value) const {
    REQUIRE(clSetKernelArg(made, index, sizeof value, &value) == CL_SUCCESS);
  }
  cl_int enqueue(cl_command_queue to, const std::vector<cl_event>& waits = {},
                 cl_event* event = nullptr) const {
    const std::size_t one = 1;
    return clEnqueueNDRangeKernel(to, made, 1, nullptr, &one, nullptr,
                                  static_cast<cl_uint>(waits.size()),
                                  waits.empty() ? nullptr : waits.data(), event);
  }
  std::vector<int> read() const {
    std::vector<int> ints(info<std::size_t>(clGetMemObjectInfo, buffer, CL_MEM_SIZE) / sizeof(int));
    REQUIRE(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, ints.size() * sizeof(int), ints.data(),
                                0, nullptr, nullptr) == CL_SUCCESS);
    return ints;
  }
  std::vector<int> run() const {
    REQUIRE(enqueue(queue) == CL_SUCCESS);
    return read();
  }
};

}  // namespace

TEST_CASE("enqueue: a launch is complete when all that it enqueued is") {
  for (const char* language : {"-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    CAPTURE(language);
    Enqueuing host(language);
    const cl_command_queue on_device = host.device_queue(kDefault);
    host.take("square", {-1, 2, 3, 4, 5});
    host.set(1, cl_int{4});
    CHECK(host.run() == std::vector<int>{0, 4, 9, 16, 25});
    std::vector<int> depths(50);
    std::iota(depths.begin(), depths.end(), 0);
    host.take("nest", std::vector<int>(50));
    CHECK(host.run() == depths);
    clReleaseCommandQueue(on_device);
  }
}

TEST_CASE("enqueue: events of kernels say what runs before what") {
  Enqueuing host;
  const cl_command_queue on_device = host.device_queue(kDefault);
  host.take("in_order", {0, 0, 0});
  CHECK(host.run() == std::vector<int>{3, 7, 10});
  clReleaseCommandQueue(on_device);
}

TEST_CASE("enqueue: without a default queue there is none to enqueue to") {
  Enqueuing host;
  host.take("square", {0, 2, 3});
  host.set(1, cl_int{2});
  const std::vector<int> after = host.run();
  CHECK(after[0] == -102);
  CHECK((after[1] == 2 && after[2] == 3));
  // Other queues are none.
  const cl_command_queue other = host.device_queue(kOnDevice);
  CHECK(host.run()[0] == -102);
  REQUIRE(clSetDefaultDeviceCommandQueue(host.context, host.device, other) == CL_SUCCESS);
  CHECK(host.run() == std::vector<int>{0, 4, 9});
  clReleaseCommandQueue(other);
}

TEST_CASE("enqueue: a queue holds as much as its size says, and the default one counts") {
  Enqueuing host;
  const cl_command_queue small = host.device_queue(kDefault, 1024);
  host.take("fill", {0, 0, 0});
  const std::vector<int> few = host.run();
  CHECK((few[0] > 0 && few[0] < 16 && few[1] == few[0] && few[2] == -161));
  const cl_command_queue large = host.device_queue(kOnDevice);
  REQUIRE(clSetDefaultDeviceCommandQueue(host.context, host.device, large) == CL_SUCCESS);
  host.take("fill", {0, 0, -1});
  CHECK(host.run() == std::vector<int>{1000, 1000, 0});
  clReleaseCommandQueue(large);
  clReleaseCommandQueue(small);
}

TEST_CASE("enqueue: a queue as an argument") {
  Enqueuing host;
  const cl_command_queue on_device = host.device_queue(kOnDevice);
  host.take("to_queue", {-1, 0}, 1);
  CHECK(host.enqueue(host.queue) == CL_INVALID_KERNEL_ARGS);  // not set yet
  host.set(0, on_device);
  CHECK(host.run() == std::vector<int>{0, 7});
  const cl_kernel original = host.made;
  host.made = clCloneKernel(original, nullptr);
  clReleaseKernel(original);
  CHECK(host.run() == std::vector<int>{0, 7});
  // The kernel does not hold it; a launch on its way does.
  const cl_event gate = clCreateUserEvent(host.context, nullptr);
  cl_event launched = nullptr;
  REQUIRE(host.enqueue(host.queue, {gate}, &launched) == CL_SUCCESS);
  CHECK(clReleaseCommandQueue(on_device) == CL_SUCCESS);
  CHECK(host.enqueue(host.queue) == CL_INVALID_KERNEL_ARGS);
  clSetUserEventStatus(gate, CL_COMPLETE);
  CHECK(clWaitForEvents(1, &launched) == CL_SUCCESS);
  CHECK(host.read() == std::vector<int>{0, 7});
  clReleaseEvent(launched);
  clReleaseEvent(gate);
}

TEST_CASE("enqueue: a queue as an argument is one of the launch's device") {
  const cl_device_partition_property two[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id parts[2] = {};
  REQUIRE(clCreateSubDevices(the_device(), two, 2, parts, nullptr) == CL_SUCCESS);
  const cl_context context = clCreateContext(nullptr, 2, parts, nullptr, nullptr, nullptr);
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice, 0};
  const cl_command_queue on_device =
      clCreateCommandQueueWithProperties(context, parts[1], list, nullptr);
  const cl_program program =
      clCreateProgramWithSource(context, 1, std::array{kSource}.data(), nullptr, nullptr);
  REQUIRE(clBuildProgram(program, 0, nullptr, "-cl-std=CL2.0", nullptr, nullptr) == CL_SUCCESS);
  const cl_kernel kernel = clCreateKernel(program, "to_queue", nullptr);
  const cl_mem buffer = clCreateBuffer(context, 0, 8, nullptr, nullptr);
  CHECK(clSetKernelArg(kernel, 0, sizeof on_device, &on_device) == CL_SUCCESS);
  CHECK(clSetKernelArg(kernel, 1, sizeof buffer, &buffer) == CL_SUCCESS);
  const cl_int codes[] = {CL_INVALID_KERNEL_ARGS, CL_SUCCESS};
  for (int i = 0; i < 2; ++i) {
    const cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, parts[i], nullptr, nullptr);
    CHECK(clEnqueueTask(queue, kernel, 0, nullptr, nullptr) == codes[i]);
    int ints[2] = {-1, -1};
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 8, ints, 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK((ints[0] == 0 && ints[1] == 7 * i));
    clReleaseCommandQueue(queue);
  }
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(on_device);
  clReleaseContext(context);
  for (const cl_device_id part : parts) clReleaseDevice(part);
}

TEST_CASE("enqueue: what is told of a parameter that is a queue") {
  Enqueuing host;
  const cl_kernel kernel = host.kernel(host.program, "to_queue");
  const auto text = [&](cl_kernel_arg_info name) {
    return text_of([&](std::size_t size, void* value, std::size_t* size_ret) {
      return clGetKernelArgInfo(kernel, 0, name, size, value, size_ret);
    });
  };
  CHECK(text(CL_KERNEL_ARG_TYPE_NAME) == "queue_t");
  CHECK(text(CL_KERNEL_ARG_NAME) == "q");
  cl_kernel_arg_address_qualifier space = 0;
  CHECK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space,
                           nullptr) == CL_SUCCESS);
  CHECK(space == CL_KERNEL_ARG_ADDRESS_PRIVATE);
  clReleaseKernel(kernel);
}

TEST_CASE("enqueue: profiling tells a kernel's end from that of what it enqueued") {
  Enqueuing host;
  const cl_command_queue on_device = host.device_queue(kDefault);
  const cl_command_queue profiled = make_queue(host.context, CL_QUEUE_PROFILING_ENABLE);
  host.take("slow_child", {0, 0});
  cl_event event = nullptr;
  REQUIRE(host.enqueue(profiled, {}, &event) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, &event) == CL_SUCCESS);
  const auto time = [&](cl_profiling_info name) {
    return info<cl_ulong>(clGetEventProfilingInfo, event, name);
  };
  CHECK(time(CL_PROFILING_COMMAND_START) <= time(CL_PROFILING_COMMAND_END));
  CHECK(time(CL_PROFILING_COMMAND_END) + 100'000 < time(CL_PROFILING_COMMAND_COMPLETE));
  CHECK(host.read()[0] != 0);
  clReleaseEvent(event);
  clReleaseCommandQueue(profiled);
  clReleaseCommandQueue(on_device);
}

TEST_CASE("enqueue: blocks are no kernels of the program") {
  Enqueuing host;
  std::vector<std::string> names;
  for (const char* name :
       {"square", "to_queue", "fill", "nest", "in_order", "slow_child", "beyond"})
    names.emplace_back(name);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ";") + name;
  CHECK(program_text(host.program, CL_PROGRAM_KERNEL_NAMES) == all);
  CHECK(info<std::size_t>(clGetProgramInfo, host.program, CL_PROGRAM_NUM_KERNELS) == names.size());
  cl_uint count = 0;
  CHECK(clCreateKernelsInProgram(host.program, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(count == names.size());
  cl_int code = 0;
  CHECK(clCreateKernel(host.program, "__square_block_invoke_kernel", &code) == nullptr);
  CHECK(code == CL_INVALID_KERNEL_NAME);
}

TEST_CASE("enqueue: a program of a binary, and one that is linked of two with blocks of one name") {
  Host host;
  const cl_command_queue on_device = make_queue(host.context, kDefault);
  const auto text = [](const char* name, int value) {
    return "static void later(global int *y) {\n"
           "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n"
           "                 ^{ y[0] += " +
           std::to_string(value) +
           "; });\n}\n"
           "kernel void " +
           name + "(global int *y) { later(y); }\n";
  };
  std::vector<cl_program> parts{host.source(text("one", 1)), host.source(text("two", 2))};
  for (const cl_program part : parts) REQUIRE(compile(part, "-cl-std=CL2.0") == CL_SUCCESS);
  cl_int code = 1;
  const cl_program linked =
      clLinkProgram(host.context, 0, nullptr, "", 2, parts.data(), nullptr, nullptr, &code);
  INFO(host.log(linked));
  REQUIRE(code == CL_SUCCESS);
  CHECK(program_text(linked, CL_PROGRAM_KERNEL_NAMES) == "one;two");
  const cl_program binary = host.from_binary(host.binary(linked), &code);
  REQUIRE(code == CL_SUCCESS);
  for (const cl_program program : {linked, binary}) {
    const cl_kernel one = host.kernel(program, "one"), two = host.kernel(program, "two");
    CHECK(host.first_int(one, 10) == 11);
    CHECK(host.first_int(two, 10) == 12);
    clReleaseKernel(one);
    clReleaseKernel(two);
    clReleaseProgram(program);
  }
  for (const cl_program part : parts) clReleaseProgram(part);
  clReleaseCommandQueue(on_device);
}

TEST_CASE("enqueue: the log tells of a block that cannot run, and the kernel does without") {
  const Host host;
  const cl_command_queue on_device = make_queue(host.context, kDefault);
  const cl_program program = host.built(
      "int rabbits(int n) { return n < 2 ? n : rabbits(n - 1) + rabbits(n - 2); }\n"
      "kernel void k(global int *y) {\n"
      "  y[0] = 5;\n"
      "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n"
      "                 ^{ y[0] = rabbits(y[0]); });\n"
      "}\n",
      "-cl-std=CL2.0");
  CHECK(host.log(program).find("warning: block '__k_block_invoke_kernel' cannot be enqueued:\n") !=
        std::string::npos);
  const cl_kernel kernel = host.kernel(program, "k");
  CHECK(host.first_int(kernel) == 5);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(on_device);
}

TEST_CASE("enqueue: what a child does wrong ends neither it nor the launch") {
  Enqueuing host;
  const cl_command_queue on_device = host.device_queue(kDefault);
  host.take("beyond", {5});
  CHECK(host.run() == std::vector<int>{5});
  clReleaseCommandQueue(on_device);
}

}  // namespace transpire::test
