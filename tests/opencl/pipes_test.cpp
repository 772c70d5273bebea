// Pipes: what they tell of themselves, and how they live. Bad arguments: refusals_images_test.cpp.
#include <algorithm>
#include <numeric>

#include "tests/opencl/support.h"

namespace transpire::test::pipes_tests {
namespace {

using Ints = std::vector<int>;

Memory make_pipe(cl_context context, cl_uint packet_bytes, cl_uint max_packets,
                 cl_mem_flags flags = 0) {
  cl_int code = 0;
  Memory pipe = clCreatePipe(context, flags, packet_bytes, max_packets, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  return pipe;
}

constexpr const char* kSource = R"(
kernel void put(global const int *from, write_only pipe int to, global int *failed) {
  const int value = from[get_global_id(0)];
  if (write_pipe(to, &value) != 0) atomic_inc(failed);
}
kernel void take(read_only pipe int from, global int *to, global int *failed) {
  if (read_pipe(from, to + get_global_id(0)) != 0) atomic_inc(failed);
}
kernel void put_in_order(global const int *from, write_only pipe int to, int count) {
  const reserve_id_t id = reserve_write_pipe(to, count);
  if (!is_valid_reserve_id(id)) return;
  for (int i = 0; i < count; ++i) write_pipe(to, id, i, from + i);
  commit_write_pipe(to, id);
}
kernel void tell(read_only pipe int p, global int *numbers) {
  numbers[0] = get_pipe_num_packets(p);
  numbers[1] = get_pipe_max_packets(p);
}
kernel void put_by_group(write_only pipe int to) {
  const int value = get_global_id(0) + 1;
  const reserve_id_t id = work_group_reserve_write_pipe(to, get_local_size(0));
  if (is_valid_reserve_id(id)) write_pipe(to, id, get_local_id(0), &value);
  work_group_commit_write_pipe(to, id);
}
kernel void take_by_sub_group(read_only pipe int from, global int *to) {
  const reserve_id_t id = sub_group_reserve_read_pipe(from, get_sub_group_size());
  if (!is_valid_reserve_id(id)) return;
  read_pipe(from, id, get_sub_group_local_id(), to + get_global_id(0));
  sub_group_commit_read_pipe(from, id);
}
typedef struct { double weight; char tag; } Thing;
kernel void put_things(write_only pipe Thing to) {
  const Thing thing = {get_global_id(0) / 2.0, get_global_id(0)};
  write_pipe(to, &thing);
}
kernel void weigh(read_only pipe Thing from, global int *sums) {
  Thing thing;
  while (read_pipe(from, &thing) == 0) {
    sums[0] += thing.weight * 2;
    sums[1] += thing.tag;
  }
}
)";

/// Kernels with pipes, and buffers of ints for them.
struct Piped : Host {
  Program program = built(kSource, "-cl-std=CL3.0 -cl-kernel-arg-info");
  ~Piped() { clFinish(queue); }

  Memory pipe(cl_uint packets) const { return make_pipe(context, 4, packets); }
  Memory ints(Ints values) const { return buffer_of(std::move(values)); }
  Ints read(cl_mem buffer) const {
    return Host::read<int>(
        buffer, info<std::size_t>(clGetMemObjectInfo, buffer, CL_MEM_SIZE) / sizeof(int));
  }
  template <class... Arguments>
  Kernel with(const char* name, const Arguments&... arguments) const {
    Kernel made = kernel(program, name);
    set(made, arguments...);
    return made;
  }
  template <class... Arguments>
  void run(const char* name, std::size_t items, const Arguments&... arguments) const {
    REQUIRE(enqueue(with(name, arguments...), {items}) == CL_SUCCESS);
    REQUIRE(clFinish(queue) == CL_SUCCESS);
  }
  /// How many packets are in a pipe, and may be.
  Ints state(cl_mem of) const {
    const Memory numbers = ints({-1, -1});
    run("tell", 1, of, numbers);
    return read(numbers);
  }
};

Ints one_to(int last) {
  Ints values(static_cast<std::size_t>(last));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

/// Work-items have no order.
Ints sorted(Ints values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST_CASE("pipes: what the device says") {
  const cl_device_id device = the_device();
  CHECK(info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_PIPE_SUPPORT) == CL_TRUE);
  CHECK(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_PIPE_ARGS) >= 16);
  CHECK(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 1);
  CHECK(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_PACKET_SIZE) >= 1024);
  const auto features =
      list_info<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_FEATURES);
  CHECK(std::count_if(features.begin(), features.end(), [](const cl_name_version& feature) {
          return feature.name == std::string("__opencl_c_pipes");
        }) == 1);
}

TEST_CASE_FIXTURE(Setup, "pipes: what one says of itself") {
  for (const int bits :
       {0, CL_MEM_READ_WRITE, CL_MEM_HOST_NO_ACCESS, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}) {
    CAPTURE(bits);
    const auto flags = static_cast<cl_mem_flags>(bits);
    const Memory pipe = make_pipe(context, 12, 100, flags);
    CHECK(info<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_PACKET_SIZE) == 12);
    CHECK(info<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_MAX_PACKETS) == 100);
    CHECK(list_info<char>(clGetPipeInfo, pipe, CL_PIPE_PROPERTIES).empty());
    const auto tells = [&]<class T>(cl_mem_info name, T value) {
      return info<T>(clGetMemObjectInfo, pipe, name) == value;
    };
    CHECK(tells(CL_MEM_TYPE, cl_mem_object_type{CL_MEM_OBJECT_PIPE}));
    CHECK(tells(CL_MEM_FLAGS, flags));
    CHECK(tells(CL_MEM_SIZE, std::size_t{1200}));
    CHECK(tells(CL_MEM_HOST_PTR, static_cast<void*>(nullptr)));
    CHECK(tells(CL_MEM_MAP_COUNT, cl_uint{0}));
    CHECK(tells(CL_MEM_REFERENCE_COUNT, cl_uint{1}));
    CHECK(tells(CL_MEM_CONTEXT, context));
    CHECK(tells(CL_MEM_ASSOCIATED_MEMOBJECT, static_cast<cl_mem>(nullptr)));
    CHECK(tells(CL_MEM_OFFSET, std::size_t{0}));
    CHECK(tells(CL_MEM_USES_SVM_POINTER, cl_bool{CL_FALSE}));
  }
}

TEST_CASE_FIXTURE(Setup, "pipes: references and callbacks") {
  Memory pipe = make_pipe(context, 4, 4);
  static Ints calls;
  calls.clear();
  const auto first = [](cl_mem, void*) { calls.push_back(1); };
  const auto second = [](cl_mem, void*) { calls.push_back(2); };
  REQUIRE(clSetMemObjectDestructorCallback(pipe, first, nullptr) == CL_SUCCESS);
  REQUIRE(clSetMemObjectDestructorCallback(pipe, second, nullptr) == CL_SUCCESS);
  CHECK(clRetainMemObject(pipe) == CL_SUCCESS);
  CHECK(info<cl_uint>(clGetMemObjectInfo, pipe, CL_MEM_REFERENCE_COUNT) == 2);
  CHECK(clReleaseMemObject(pipe) == CL_SUCCESS);
  CHECK(calls.empty());
  pipe.drop();
  CHECK(calls == Ints{2, 1});
}

TEST_CASE_FIXTURE(Setup, "pipes: the largest packet") {
  make_pipe(context, info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_PACKET_SIZE), 1);
}

TEST_CASE_FIXTURE(Piped, "pipes: packets go from kernel to kernel") {
  const Memory pipe = this->pipe(1000), from = ints(one_to(1000)), to = ints(one_to(1000));
  const Memory failed = ints({0});
  run("put", 1000, from, pipe, failed);
  CHECK(state(pipe) == Ints{1000, 1000});
  run("take", 1000, pipe, to, failed);
  CHECK(state(pipe) == Ints{0, 1000});
  CHECK(sorted(read(to)) == one_to(1000));
  CHECK(read(failed)[0] == 0);
}

TEST_CASE_FIXTURE(Piped, "pipes: full and empty ones, and what is left from launch to launch") {
  const Memory pipe = this->pipe(300), from = ints(one_to(1000)), to = ints(one_to(1000));
  const Memory too_many = ints({0}), too_few = ints({0});
  run("put", 200, from, pipe, too_many);
  run("put", 200, from, pipe, too_many);
  CHECK(read(too_many)[0] == 100);
  CHECK(state(pipe) == Ints{300, 300});
  run("take", 250, pipe, to, too_few);
  CHECK(read(too_few)[0] == 0);
  run("take", 250, pipe, to, too_few);
  CHECK(read(too_few)[0] == 200);
  CHECK(state(pipe) == Ints{0, 300});
}

TEST_CASE_FIXTURE(Piped, "pipes: first in, first out, around the end of the pipe's memory") {
  const Memory pipe = this->pipe(10), from = ints(one_to(7)), failed = ints({0});
  for (int round = 0; round < 5; ++round) {
    const Memory to = ints(Ints(7));
    run("put_in_order", 1, from, pipe, cl_int{7});
    run("put_in_order", 1, from, pipe, cl_int{7});  // there is no room for it
    for (std::size_t i = 0; i < 7; ++i)
      REQUIRE(enqueue(with("take", pipe, to, failed), {1}, {}, {i}) == CL_SUCCESS);
    CHECK(read(to) == one_to(7));
  }
  CHECK(read(failed)[0] == 0);
}

TEST_CASE_FIXTURE(Piped, "pipes: reservations of work-groups and sub-groups") {
  const Memory pipe = this->pipe(256), to = ints(Ints(256));
  run("put_by_group", 256, pipe);
  CHECK(state(pipe) == Ints{256, 256});
  run("take_by_sub_group", 256, pipe, to);
  CHECK(sorted(read(to)) == one_to(256));
}

TEST_CASE_FIXTURE(Piped, "pipes: packets of a struct") {
  const Memory pipe = make_pipe(context, 16, 100), sums = ints({0, 0});
  run("put_things", 100, pipe);
  run("weigh", 1, pipe, sums);
  CHECK(read(sums) == Ints{4950, 4950});
}

TEST_CASE_FIXTURE(Piped, "pipes: in a queue out of order, behind an event") {
  const Queue any_order = make_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Memory pipe = this->pipe(64), from = ints(one_to(64)), to = ints(one_to(64));
  const Memory failed = ints({0});
  const Kernel put = with("put", from, pipe, failed);
  const Kernel take = with("take", pipe, to, failed);
  Event taken;
  for (int round = 0; round < 20; ++round) {
    Event filled, emptied;
    const Waits waits = round == 0 ? Waits{} : Waits{taken};
    REQUIRE(test::enqueue(any_order, put, {64}, {}, waits, &filled) == CL_SUCCESS);
    REQUIRE(test::enqueue(any_order, take, {64}, {}, {filled}, &emptied) == CL_SUCCESS);
    taken = std::move(emptied);
  }
  CHECK(clFinish(any_order) == CL_SUCCESS);
  CHECK(read(failed)[0] == 0);
}

TEST_CASE_FIXTURE(Piped, "pipes: released while a launch waits, and before one") {
  const Memory numbers = ints({-1, -1});
  Memory pipe = make_pipe(context, 4, 50);
  const Kernel tell = with("tell", pipe, numbers);
  REQUIRE(enqueue(tell, {1}) == CL_SUCCESS);
  pipe.drop();
  CHECK(read(numbers) == Ints{0, 50});
  CHECK(enqueue(tell, {1}) == CL_INVALID_KERNEL_ARGS);
}

TEST_CASE_FIXTURE(Piped, "pipes: a kernel's clone has its pipes, a program's binary its kernels") {
  const Memory pipe = this->pipe(9), numbers = ints({-1, -1});
  const Kernel clone = clCloneKernel(with("tell", pipe, numbers), nullptr);
  REQUIRE((clone != nullptr));
  REQUIRE(enqueue(clone, {1}) == CL_SUCCESS);
  CHECK(read(numbers) == Ints{0, 9});

  const Program copy = from_binary(binary(program));
  REQUIRE(build(copy) == CL_SUCCESS);
  const Kernel tell = kernel(copy, "tell");
  const Memory again = ints({-1, -1});
  set(tell, pipe, again);
  REQUIRE(enqueue(tell, {1}) == CL_SUCCESS);
  CHECK(read(again) == Ints{0, 9});
}

TEST_CASE_FIXTURE(Piped, "pipes: what parameters say of themselves") {
  const Kernel put = this->kernel(program, "put"), take = this->kernel(program, "take");
  const Kernel weigh = this->kernel(program, "weigh");
  const auto access = [](cl_kernel kernel, cl_uint index) {
    return info<cl_kernel_arg_access_qualifier>(clGetKernelArgInfo, kernel, index,
                                                CL_KERNEL_ARG_ACCESS_QUALIFIER);
  };
  const auto type = [&](cl_uint index) {
    return info<cl_kernel_arg_type_qualifier>(clGetKernelArgInfo, take, index,
                                              CL_KERNEL_ARG_TYPE_QUALIFIER);
  };
  const cl_uint first = 0;
  CHECK(access(put, 1) == CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
  CHECK(access(take, 0) == CL_KERNEL_ARG_ACCESS_READ_ONLY);
  CHECK(access(take, 1) == CL_KERNEL_ARG_ACCESS_NONE);
  CHECK(type(0) == CL_KERNEL_ARG_TYPE_PIPE);
  CHECK(type(1) == CL_KERNEL_ARG_TYPE_NONE);
  CHECK(info<cl_kernel_arg_address_qualifier>(clGetKernelArgInfo, take, first,
                                              CL_KERNEL_ARG_ADDRESS_QUALIFIER) ==
        CL_KERNEL_ARG_ADDRESS_GLOBAL);
  CHECK(text_info(clGetKernelArgInfo, take, first, CL_KERNEL_ARG_TYPE_NAME) == "int");
  CHECK(text_info(clGetKernelArgInfo, take, first, CL_KERNEL_ARG_NAME) == "from");
  CHECK(text_info(clGetKernelArgInfo, weigh, first, CL_KERNEL_ARG_TYPE_NAME) == "Thing");
}

TEST_CASE_FIXTURE(Host, "pipes: as many as a launch takes") {
  const auto most = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_PIPE_ARGS);
  for (const cl_uint count : {most, most + 1}) {
    std::string text = "kernel void k(";
    for (cl_uint i = 0; i < count; ++i) text += "write_only pipe int p" + std::to_string(i) + ", ";
    text += "int n) {";
    for (cl_uint i = 0; i < count; ++i) text += " write_pipe(p" + std::to_string(i) + ", &n);";
    const Kernel kernel = this->kernel(built(text + " }\n", "-cl-std=CL2.0"), "k");
    const Memory pipe = make_pipe(context, 4, count);
    for (cl_uint i = 0; i < count; ++i) CHECK(set_argument(kernel, i, pipe) == CL_SUCCESS);
    CHECK(set_argument(kernel, count, count) == CL_SUCCESS);
    CHECK(enqueue(kernel, {1}) == (count == most ? CL_SUCCESS : CL_OUT_OF_RESOURCES));
    CHECK(clFinish(queue) == CL_SUCCESS);
  }
}

}  // namespace
}  // namespace transpire::test::pipes_tests
