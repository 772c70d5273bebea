// What kernels enqueue themselves: through the queues that the host made, as part of the launch.
#include <numeric>

#include "tests/opencl/support.h"

namespace transpire::test::enqueue_tests {
namespace {

using Ints = std::vector<int>;

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
  Program program;
  Kernel made;
  Memory ints;

  explicit Enqueuing(const char* options = "-cl-std=CL3.0 -cl-kernel-arg-info")
      : program(built(kSource, options)) {}
  ~Enqueuing() { clFinish(queue); }

  Queue device_queue(cl_command_queue_properties bits, cl_uint bytes = 1u << 20) const {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, CL_QUEUE_SIZE, bytes, 0};
    Queue on_device = clCreateCommandQueueWithProperties(context, device, list, nullptr);
    REQUIRE(on_device != nullptr);
    return on_device;
  }
  /// A kernel whose argument of that index is a buffer of the ints.
  void take(const char* name, Ints values, cl_uint index = 0) {
    made = kernel(program, name);
    ints = buffer_of(std::move(values));
    REQUIRE(set_argument(made, index, ints) == CL_SUCCESS);
  }
  Ints read() const {
    return Host::read<int>(ints,
                           info<std::size_t>(clGetMemObjectInfo, ints, CL_MEM_SIZE) / sizeof(int));
  }
  Ints run() const {
    REQUIRE(enqueue(made, {1}) == CL_SUCCESS);
    return read();
  }
};

TEST_CASE("enqueue: a launch is complete when all that it enqueued is") {
  for (const char* language : {"-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    CAPTURE(std::string(language));
    Enqueuing host(language);
    const Queue on_device = host.device_queue(kDefaultOnDevice);
    host.take("square", {-1, 2, 3, 4, 5});
    REQUIRE(set_argument(host.made, 1, cl_int{4}) == CL_SUCCESS);
    CHECK(host.run() == Ints{0, 4, 9, 16, 25});
    Ints depths(50);
    std::iota(depths.begin(), depths.end(), 0);
    host.take("nest", Ints(50));
    CHECK(host.run() == depths);
  }
}

TEST_CASE_FIXTURE(Enqueuing, "enqueue: events of kernels say what runs before what") {
  const Queue on_device = device_queue(kDefaultOnDevice);
  take("in_order", {0, 0, 0});
  CHECK(run() == Ints{3, 7, 10});
}

TEST_CASE_FIXTURE(Enqueuing, "enqueue: without a default queue there is none to enqueue to") {
  take("square", {0, 2, 3});
  REQUIRE(set_argument(made, 1, cl_int{2}) == CL_SUCCESS);
  CHECK(run() == Ints{-102, 2, 3});
  // Other queues are none.
  const Queue other = device_queue(kOnDevice);
  CHECK(run()[0] == -102);
  REQUIRE(clSetDefaultDeviceCommandQueue(context, device, other) == CL_SUCCESS);
  CHECK(run() == Ints{0, 4, 9});
}

TEST_CASE_FIXTURE(Enqueuing,
                  "enqueue: a queue holds as much as its size says, and the default one counts") {
  const Queue small = device_queue(kDefaultOnDevice, 1024);
  take("fill", {0, 0, 0});
  const Ints few = run();
  CHECK((few[0] > 0 && few[0] < 16 && few[1] == few[0] && few[2] == -161));
  const Queue large = device_queue(kOnDevice);
  REQUIRE(clSetDefaultDeviceCommandQueue(context, device, large) == CL_SUCCESS);
  take("fill", {0, 0, -1});
  CHECK(run() == Ints{1000, 1000, 0});
}

TEST_CASE_FIXTURE(Enqueuing, "enqueue: a queue as an argument") {
  Queue on_device = device_queue(kOnDevice);
  take("to_queue", {-1, 0}, 1);
  CHECK(enqueue(made, {1}) == CL_INVALID_KERNEL_ARGS);  // not set yet
  set(made, on_device);
  CHECK(run() == Ints{0, 7});
  made = clCloneKernel(made, nullptr);
  CHECK(run() == Ints{0, 7});
  // The kernel does not hold it; a launch on its way does.
  const Event gate = clCreateUserEvent(context, nullptr);
  Event launched;
  REQUIRE(test::enqueue(queue, made, {1}, {}, {gate}, &launched) == CL_SUCCESS);
  on_device.drop();
  CHECK(enqueue(made, {1}) == CL_INVALID_KERNEL_ARGS);
  clSetUserEventStatus(gate, CL_COMPLETE);
  CHECK(clWaitForEvents(1, &launched) == CL_SUCCESS);
  CHECK(read() == Ints{0, 7});
}

TEST_CASE("enqueue: a queue as an argument is one of the launch's device") {
  const Parts parts({1, 1});
  const Context context =
      clCreateContext(nullptr, 2, parts.devices.data(), nullptr, nullptr, nullptr);
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kOnDevice, 0};
  const Queue on_device =
      clCreateCommandQueueWithProperties(context, parts.devices[1], list, nullptr);
  const char* source = kSource;
  const Program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  REQUIRE(clBuildProgram(program, 0, nullptr, "-cl-std=CL2.0", nullptr, nullptr) == CL_SUCCESS);
  const Kernel kernel = clCreateKernel(program, "to_queue", nullptr);
  const Memory buffer = clCreateBuffer(context, 0, 8, nullptr, nullptr);
  set(kernel, on_device, buffer);
  const cl_int codes[] = {CL_INVALID_KERNEL_ARGS, CL_SUCCESS};
  for (int i = 0; i < 2; ++i) {
    const Queue queue = clCreateCommandQueueWithProperties(
        context, parts.devices[static_cast<std::size_t>(i)], nullptr, nullptr);
    CHECK(issue(clEnqueueTask, queue, kernel) == codes[i]);
    CHECK(read<int>(queue, buffer, 2) == Ints{0, 7 * i});
  }
}

TEST_CASE_FIXTURE(Enqueuing, "enqueue: what is told of a parameter that is a queue") {
  const Kernel kernel = this->kernel(program, "to_queue");
  const cl_uint first = 0;
  CHECK(text_info(clGetKernelArgInfo, kernel, first, CL_KERNEL_ARG_TYPE_NAME) == "queue_t");
  CHECK(text_info(clGetKernelArgInfo, kernel, first, CL_KERNEL_ARG_NAME) == "q");
  CHECK(info<cl_kernel_arg_address_qualifier>(clGetKernelArgInfo, kernel, first,
                                              CL_KERNEL_ARG_ADDRESS_QUALIFIER) ==
        CL_KERNEL_ARG_ADDRESS_PRIVATE);
}

TEST_CASE_FIXTURE(Enqueuing,
                  "enqueue: profiling tells a kernel's end from that of what it enqueued") {
  const Queue on_device = device_queue(kDefaultOnDevice);
  const Queue profiled = make_queue(context, CL_QUEUE_PROFILING_ENABLE);
  take("slow_child", {0, 0});
  Event event;
  REQUIRE(test::enqueue(profiled, made, {1}, {}, {}, &event) == CL_SUCCESS);
  REQUIRE(clWaitForEvents(1, &event) == CL_SUCCESS);
  const auto time = [&](cl_profiling_info name) {
    return info<cl_ulong>(clGetEventProfilingInfo, event, name);
  };
  CHECK(time(CL_PROFILING_COMMAND_START) <= time(CL_PROFILING_COMMAND_END));
  CHECK(time(CL_PROFILING_COMMAND_END) + 100'000 < time(CL_PROFILING_COMMAND_COMPLETE));
  CHECK(read()[0] != 0);
}

TEST_CASE_FIXTURE(Enqueuing, "enqueue: blocks are no kernels of the program") {
  CHECK(text_info(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES) ==
        "square;to_queue;fill;nest;in_order;slow_child;beyond");
  CHECK(info<std::size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS) == 7);
  cl_uint count = 0;
  CHECK(clCreateKernelsInProgram(program, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(count == 7);
  CHECK(error_of([&](cl_int* error) {
          return clCreateKernel(program, "__square_block_invoke_kernel", error);
        }) == CL_INVALID_KERNEL_NAME);
}

TEST_CASE_FIXTURE(
    Host, "enqueue: a program of a binary, and one that is linked of two with blocks of one name") {
  const Queue on_device = make_queue(context, kDefaultOnDevice);
  const auto compiled = [&](const std::string& name, int value) {
    Program part = source(
        "static void later(global int *y) {\n"
        "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n"
        "                 ^{ y[0] += " +
        std::to_string(value) +
        "; });\n}\n"
        "kernel void " +
        name + "(global int *y) { later(y); }\n");
    REQUIRE(compile(part, "-cl-std=CL2.0") == CL_SUCCESS);
    return part;
  };
  const Program parts[] = {compiled("one", 1), compiled("two", 2)};
  cl_int code = 1;
  const Program linked =
      clLinkProgram(context, 0, nullptr, "", 2, &parts[0], nullptr, nullptr, &code);
  INFO(log(linked));
  REQUIRE(code == CL_SUCCESS);
  CHECK(text_info(clGetProgramInfo, linked, CL_PROGRAM_KERNEL_NAMES) == "one;two");
  const Program binary = from_binary(this->binary(linked));
  for (const cl_program program : {cl_program{linked}, cl_program{binary}}) {
    CHECK(first_int(kernel(program, "one"), 10) == 11);
    CHECK(first_int(kernel(program, "two"), 10) == 12);
  }
}

TEST_CASE_FIXTURE(
    Host, "enqueue: the log tells of a block that cannot run, and the kernel does without") {
  const Queue on_device = make_queue(context, kDefaultOnDevice);
  const Program program = built(
      "int rabbits(int n) { return n < 2 ? n : rabbits(n - 1) + rabbits(n - 2); }\n"
      "kernel void k(global int *y) {\n"
      "  y[0] = 5;\n"
      "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n"
      "                 ^{ y[0] = rabbits(y[0]); });\n"
      "}\n",
      "-cl-std=CL2.0");
  CHECK(log(program).find("warning: block '__k_block_invoke_kernel' cannot be enqueued:\n") !=
        std::string::npos);
  CHECK(first_int(program) == 5);
}

TEST_CASE_FIXTURE(Enqueuing, "enqueue: what a child does wrong ends neither it nor the launch") {
  const Queue on_device = device_queue(kDefaultOnDevice);
  take("beyond", {5});
  CHECK(run() == Ints{5});
}

}  // namespace
}  // namespace transpire::test::enqueue_tests
