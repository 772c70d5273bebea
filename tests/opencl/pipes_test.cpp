// Pipes: what they tell of themselves, and how they live. Bad arguments: refusals_pipes_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "tests/opencl/host.h"
#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

cl_mem make_pipe(cl_context context, cl_uint packet_bytes, cl_uint max_packets,
                 cl_mem_flags flags = 0) {
  cl_int code = 0;
  const cl_mem pipe = clCreatePipe(context, flags, packet_bytes, max_packets, nullptr, &code);
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
  cl_program program = built(kSource, "-cl-std=CL3.0 -cl-kernel-arg-info");
  std::vector<cl_kernel> kernels;
  std::vector<cl_mem> memory;
  ~Piped() {
    clFinish(queue);
    for (const cl_kernel each : kernels) clReleaseKernel(each);
    for (const cl_mem each : memory) clReleaseMemObject(each);
    clReleaseProgram(program);
  }
  cl_mem keep(cl_mem made) {
    memory.push_back(made);
    return made;
  }
  cl_mem pipe(cl_uint packets) { return keep(make_pipe(context, 4, packets)); }
  cl_mem ints(std::vector<int> values) {
    return keep(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, values.size() * sizeof(int),
                               values.data(), nullptr));
  }
  std::vector<int> read(cl_mem buffer) const {
    std::vector<int> values(info<std::size_t>(clGetMemObjectInfo, buffer, CL_MEM_SIZE) /
                            sizeof(int));
    REQUIRE(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, values.size() * sizeof(int),
                                values.data(), 0, nullptr, nullptr) == CL_SUCCESS);
    return values;
  }
  template <class... Arguments>
  cl_kernel with(const char* name, const Arguments&... arguments) {
    kernels.push_back(kernel(program, name));
    cl_uint index = 0;
    const auto set = [&](const auto& value) {
      CAPTURE(index);
      REQUIRE(clSetKernelArg(kernels.back(), index++, sizeof value, &value) == CL_SUCCESS);
    };
    (set(arguments), ...);
    return kernels.back();
  }
  cl_int enqueue(cl_kernel launched, std::size_t items) const {
    return clEnqueueNDRangeKernel(queue, launched, 1, nullptr, &items, nullptr, 0, nullptr,
                                  nullptr);
  }
  template <class... Arguments>
  void run(const char* name, std::size_t items, const Arguments&... arguments) {
    REQUIRE(enqueue(with(name, arguments...), items) == CL_SUCCESS);
    REQUIRE(clFinish(queue) == CL_SUCCESS);
  }
  /// How many packets are in a pipe, and may be.
  std::vector<int> state(cl_mem of) {
    const cl_mem numbers = ints({-1, -1});
    run("tell", 1, of, numbers);
    return read(numbers);
  }
};

std::vector<int> one_to(int last) {
  std::vector<int> values(static_cast<std::size_t>(last));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

}  // namespace

TEST_CASE("pipes: what the device says") {
  const cl_device_id device = the_device();
  CHECK(info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_PIPE_SUPPORT) == CL_TRUE);
  CHECK(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_PIPE_ARGS) >= 16);
  CHECK(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 1);
  CHECK(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_PACKET_SIZE) >= 1024);
  std::size_t size = 0;
  REQUIRE(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &size) == CL_SUCCESS);
  std::vector<cl_name_version> features(size / sizeof(cl_name_version));
  REQUIRE(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, size, features.data(), nullptr) ==
          CL_SUCCESS);
  CHECK(std::count_if(features.begin(), features.end(), [](const cl_name_version& feature) {
          return feature.name == std::string("__opencl_c_pipes");
        }) == 1);
}

TEST_CASE("pipes: what one says of itself") {
  const Setup setup;
  for (const cl_mem_flags flags :
       {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS},
        cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}}) {
    CAPTURE(flags);
    const cl_mem pipe = make_pipe(setup.context, 12, 100, flags);
    CHECK(info<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_PACKET_SIZE) == 12);
    CHECK(info<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_MAX_PACKETS) == 100);
    std::size_t size = 77;
    CHECK(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, nullptr, &size) == CL_SUCCESS);
    CHECK(size == 0);
    const auto tells = [&](cl_mem_info name, auto value) {
      return info<decltype(value)>(clGetMemObjectInfo, pipe, name) == value;
    };
    CHECK(tells(CL_MEM_TYPE, cl_mem_object_type{CL_MEM_OBJECT_PIPE}));
    CHECK(tells(CL_MEM_FLAGS, flags));
    CHECK(tells(CL_MEM_SIZE, std::size_t{1200}));
    CHECK(tells(CL_MEM_HOST_PTR, static_cast<void*>(nullptr)));
    CHECK(tells(CL_MEM_MAP_COUNT, cl_uint{0}));
    CHECK(tells(CL_MEM_REFERENCE_COUNT, cl_uint{1}));
    CHECK(tells(CL_MEM_CONTEXT, setup.context));
    CHECK(tells(CL_MEM_ASSOCIATED_MEMOBJECT, static_cast<cl_mem>(nullptr)));
    CHECK(tells(CL_MEM_OFFSET, std::size_t{0}));
    CHECK(tells(CL_MEM_USES_SVM_POINTER, cl_bool{CL_FALSE}));
    CHECK(clReleaseMemObject(pipe) == CL_SUCCESS);
  }
}

TEST_CASE("pipes: references and callbacks") {
  const Setup setup;
  const cl_mem pipe = make_pipe(setup.context, 4, 4);
  std::vector<int> calls;
  struct Call {
    std::vector<int>* calls;
    int number;
  };
  Call first{&calls, 1}, second{&calls, 2};
  const auto note = [](cl_mem, void* data) {
    const auto* const call = static_cast<const Call*>(data);
    call->calls->push_back(call->number);
  };
  REQUIRE(clSetMemObjectDestructorCallback(pipe, note, &first) == CL_SUCCESS);
  REQUIRE(clSetMemObjectDestructorCallback(pipe, note, &second) == CL_SUCCESS);
  CHECK(clRetainMemObject(pipe) == CL_SUCCESS);
  CHECK(info<cl_uint>(clGetMemObjectInfo, pipe, CL_MEM_REFERENCE_COUNT) == 2);
  CHECK(clReleaseMemObject(pipe) == CL_SUCCESS);
  CHECK(calls.empty());
  CHECK(clReleaseMemObject(pipe) == CL_SUCCESS);
  CHECK((calls == std::vector<int>{2, 1}));
}

TEST_CASE("pipes: may be migrated") {
  const Setup setup;
  const cl_mem pipe = make_pipe(setup.context, 4, 4);
  CHECK(clEnqueueMigrateMemObjects(setup.queue, 1, &pipe, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr,
                                   nullptr) == CL_SUCCESS);
  CHECK(clFinish(setup.queue) == CL_SUCCESS);
  clReleaseMemObject(pipe);
}

TEST_CASE("pipes: the largest packet, and as much as there is memory") {
  const Setup setup;
  const auto most = info<cl_uint>(clGetDeviceInfo, setup.device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  clReleaseMemObject(make_pipe(setup.context, most, 1));
  for (const cl_uint packets : {0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    CAPTURE(packets);
    CHECK(error_of([&](cl_int* error) {
            return clCreatePipe(setup.context, 0, most, packets, nullptr, error);
          }) == CL_MEM_OBJECT_ALLOCATION_FAILURE);
  }
}

TEST_CASE("pipes: packets go from kernel to kernel") {
  Piped host;
  const cl_mem pipe = host.pipe(1000), from = host.ints(one_to(1000)), to = host.ints(one_to(1000));
  const cl_mem failed = host.ints({0});
  host.run("put", 1000, from, pipe, failed);
  CHECK((host.state(pipe) == std::vector<int>{1000, 1000}));
  host.run("take", 1000, pipe, to, failed);
  CHECK((host.state(pipe) == std::vector<int>{0, 1000}));
  std::vector<int> got = host.read(to);
  std::sort(got.begin(), got.end());  // work-items have no order
  CHECK(got == one_to(1000));
  CHECK(host.read(failed)[0] == 0);
}

TEST_CASE("pipes: full and empty ones, and what is left from launch to launch") {
  Piped host;
  const cl_mem pipe = host.pipe(300), from = host.ints(one_to(1000)), to = host.ints(one_to(1000));
  const cl_mem too_many = host.ints({0}), too_few = host.ints({0});
  host.run("put", 200, from, pipe, too_many);
  host.run("put", 200, from, pipe, too_many);
  CHECK(host.read(too_many)[0] == 100);
  CHECK((host.state(pipe) == std::vector<int>{300, 300}));
  host.run("take", 250, pipe, to, too_few);
  CHECK(host.read(too_few)[0] == 0);
  host.run("take", 250, pipe, to, too_few);
  CHECK(host.read(too_few)[0] == 200);
  CHECK((host.state(pipe) == std::vector<int>{0, 300}));
}

TEST_CASE("pipes: first in, first out, around the end of the pipe's memory") {
  Piped host;
  const cl_mem pipe = host.pipe(10), from = host.ints(one_to(7)), failed = host.ints({0});
  for (int round = 0; round < 5; ++round) {
    const cl_mem to = host.ints(std::vector<int>(7));
    host.run("put_in_order", 1, from, pipe, cl_int{7});
    host.run("put_in_order", 1, from, pipe, cl_int{7});  // there is no room for it
    for (std::size_t i = 0; i < 7; ++i) {
      const std::size_t one = 1;
      REQUIRE(clEnqueueNDRangeKernel(host.queue, host.with("take", pipe, to, failed), 1, &i, &one,
                                     nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
    }
    CHECK(host.read(to) == one_to(7));
  }
  CHECK(host.read(failed)[0] == 0);
}

TEST_CASE("pipes: reservations of work-groups and sub-groups") {
  Piped host;
  const cl_mem pipe = host.pipe(256), to = host.ints(std::vector<int>(256));
  host.run("put_by_group", 256, pipe);
  CHECK((host.state(pipe) == std::vector<int>{256, 256}));
  host.run("take_by_sub_group", 256, pipe, to);
  std::vector<int> got = host.read(to);
  std::sort(got.begin(), got.end());
  CHECK(got == one_to(256));
}

TEST_CASE("pipes: packets of a struct") {
  Piped host;
  const cl_mem pipe = host.keep(make_pipe(host.context, 16, 100)), sums = host.ints({0, 0});
  host.run("put_things", 100, pipe);
  host.run("weigh", 1, pipe, sums);
  CHECK((host.read(sums) == std::vector<int>{4950, 4950}));
}

TEST_CASE("pipes: in a queue out of order, behind an event") {
  Piped host;
  const cl_command_queue any_order =
      make_queue(host.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const cl_mem pipe = host.pipe(64), from = host.ints(one_to(64)), to = host.ints(one_to(64));
  const cl_mem failed = host.ints({0});
  const cl_kernel put = host.with("put", from, pipe, failed);
  const cl_kernel take = host.with("take", pipe, to, failed);
  const std::size_t items = 64;
  cl_event put_once = nullptr;
  for (int round = 0; round < 20; ++round) {
    cl_event taken = nullptr;
    const cl_uint waits = put_once == nullptr ? 0 : 1;
    REQUIRE(clEnqueueNDRangeKernel(any_order, put, 1, nullptr, &items, nullptr, waits,
                                   waits == 0 ? nullptr : &put_once, &taken) == CL_SUCCESS);
    if (waits != 0) clReleaseEvent(put_once);
    REQUIRE(clEnqueueNDRangeKernel(any_order, take, 1, nullptr, &items, nullptr, 1, &taken,
                                   &put_once) == CL_SUCCESS);
    clReleaseEvent(taken);
  }
  clReleaseEvent(put_once);
  CHECK(clFinish(any_order) == CL_SUCCESS);
  CHECK(host.read(failed)[0] == 0);
  clReleaseCommandQueue(any_order);
}

TEST_CASE("pipes: released while a launch waits, and before one") {
  Piped host;
  const cl_mem numbers = host.ints({-1, -1});
  const cl_mem pipe = make_pipe(host.context, 4, 50);
  const cl_kernel tell = host.with("tell", pipe, numbers);
  REQUIRE(host.enqueue(tell, 1) == CL_SUCCESS);
  clReleaseMemObject(pipe);
  CHECK((host.read(numbers) == std::vector<int>{0, 50}));
  CHECK(host.enqueue(tell, 1) == CL_INVALID_KERNEL_ARGS);
}

TEST_CASE("pipes: a kernel's clone has its pipes, a program's binary its kernels") {
  Piped host;
  const cl_mem pipe = host.pipe(9), numbers = host.ints({-1, -1});
  const cl_kernel clone = clCloneKernel(host.with("tell", pipe, numbers), nullptr);
  REQUIRE((clone != nullptr));
  REQUIRE(host.enqueue(clone, 1) == CL_SUCCESS);
  CHECK((host.read(numbers) == std::vector<int>{0, 9}));
  clReleaseKernel(clone);

  cl_int code = 0;
  const cl_program copy = host.from_binary(host.binary(host.program), &code);
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(host.build(copy) == CL_SUCCESS);
  const cl_kernel tell = host.kernel(copy, "tell");
  const cl_mem again = host.ints({-1, -1});
  clSetKernelArg(tell, 0, sizeof pipe, &pipe);
  clSetKernelArg(tell, 1, sizeof again, &again);
  REQUIRE(host.enqueue(tell, 1) == CL_SUCCESS);
  CHECK((host.read(again) == std::vector<int>{0, 9}));
  clReleaseKernel(tell);
  clReleaseProgram(copy);
}

TEST_CASE("pipes: what parameters say of themselves") {
  Piped host;
  const auto told = [&](const char* kernel_name, cl_uint index, cl_kernel_arg_info name) {
    const cl_kernel kernel = host.kernel(host.program, kernel_name);
    cl_ulong value = 0;
    CHECK(clGetKernelArgInfo(kernel, index, name, sizeof value, &value, nullptr) == CL_SUCCESS);
    clReleaseKernel(kernel);
    return value;
  };
  CHECK(told("put", 1, CL_KERNEL_ARG_ACCESS_QUALIFIER) == CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
  CHECK(told("take", 0, CL_KERNEL_ARG_ACCESS_QUALIFIER) == CL_KERNEL_ARG_ACCESS_READ_ONLY);
  CHECK(told("take", 1, CL_KERNEL_ARG_ACCESS_QUALIFIER) == CL_KERNEL_ARG_ACCESS_NONE);
  CHECK(told("take", 0, CL_KERNEL_ARG_TYPE_QUALIFIER) == CL_KERNEL_ARG_TYPE_PIPE);
  CHECK(told("take", 1, CL_KERNEL_ARG_TYPE_QUALIFIER) == CL_KERNEL_ARG_TYPE_NONE);
  CHECK(told("take", 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER) == CL_KERNEL_ARG_ADDRESS_GLOBAL);
  const auto text = [&](const char* kernel_name, cl_kernel_arg_info name) {
    const cl_kernel kernel = host.kernel(host.program, kernel_name);
    const std::string words = text_of([&](std::size_t size, void* value, std::size_t* size_ret) {
      return clGetKernelArgInfo(kernel, 0, name, size, value, size_ret);
    });
    clReleaseKernel(kernel);
    return words;
  };
  CHECK(text("take", CL_KERNEL_ARG_TYPE_NAME) == "int");
  CHECK(text("take", CL_KERNEL_ARG_NAME) == "from");
  CHECK(text("weigh", CL_KERNEL_ARG_TYPE_NAME) == "Thing");
}

TEST_CASE("pipes: as many as a launch takes") {
  Host host;
  const auto most = info<cl_uint>(clGetDeviceInfo, host.device, CL_DEVICE_MAX_PIPE_ARGS);
  for (const cl_uint count : {most, most + 1}) {
    std::string text = "kernel void k(";
    for (cl_uint i = 0; i < count; ++i) text += "write_only pipe int p" + std::to_string(i) + ", ";
    text += "int n) {";
    for (cl_uint i = 0; i < count; ++i) text += " write_pipe(p" + std::to_string(i) + ", &n);";
    const cl_program program = host.built(text + " }\n", "-cl-std=CL2.0");
    const cl_kernel kernel = host.kernel(program, "k");
    const cl_mem pipe = make_pipe(host.context, 4, count);
    for (cl_uint i = 0; i < count; ++i)
      CHECK(clSetKernelArg(kernel, i, sizeof pipe, &pipe) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, count, sizeof count, &count) == CL_SUCCESS);
    const std::size_t one = 1;
    CHECK(clEnqueueNDRangeKernel(host.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr,
                                 nullptr) == (count == most ? CL_SUCCESS : CL_OUT_OF_RESOURCES));
    CHECK(clFinish(host.queue) == CL_SUCCESS);
    clReleaseMemObject(pipe);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }
}

}  // namespace transpire::test
