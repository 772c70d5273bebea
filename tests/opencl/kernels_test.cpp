// Kernels: creating, arguments, queries, and every refusal of a launch.
#include <array>
#include <cstdint>

#include "tests/opencl/host.h"

namespace transpire::test {
namespace {

constexpr const char* kSource = R"(
typedef struct { int a; float b; } Pair;
kernel void all(global int *restrict out, constant float *c, local int *scratch, Pair pair,
                const uint n, float3 v, global const volatile short *in) {
  scratch[get_local_id(0)] = n;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = scratch[0] + pair.a + (int)v.z + (c ? (int)c[0] : 0) + (in ? in[0] : 0);
}
__attribute__((reqd_work_group_size(8, 2, 1))) __attribute__((vec_type_hint(float4)))
kernel void shaped(global int *out) {
  local int table[64];
  table[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = table[3];
}
kernel void ids(global int *out) { out[get_global_id(0)] = get_global_id(0); }
)";

struct Fixture : Host {
  cl_program program = built(kSource, "-cl-kernel-arg-info");
  cl_kernel all = kernel(program, "all");
  cl_kernel shaped = kernel(program, "shaped");
  cl_kernel ids = kernel(program, "ids");
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, nullptr);

  ~Fixture() {
    clReleaseMemObject(buffer);
    for (cl_kernel k : {all, shaped, ids}) clReleaseKernel(k);
    clReleaseProgram(program);
  }
  cl_int set(cl_uint index, std::size_t size, const void* value) {
    return clSetKernelArg(all, index, size, value);
  }
  cl_int launch(cl_kernel k, std::vector<std::size_t> global, std::vector<std::size_t> local = {},
                std::vector<std::size_t> offset = {}) {
    return clEnqueueNDRangeKernel(queue, k, static_cast<cl_uint>(global.size()),
                                  offset.empty() ? nullptr : offset.data(), global.data(),
                                  local.empty() ? nullptr : local.data(), 0, nullptr, nullptr);
  }
  template <class T>
  T group_info(cl_kernel k, cl_kernel_work_group_info name) {
    T value{};
    REQUIRE(clGetKernelWorkGroupInfo(k, device, name, sizeof value, &value, nullptr) == CL_SUCCESS);
    return value;
  }
  template <class T>
  T arg_info(cl_uint index, cl_kernel_arg_info name) {
    T value{};
    REQUIRE(clGetKernelArgInfo(all, index, name, sizeof value, &value, nullptr) == CL_SUCCESS);
    return value;
  }
  std::string arg_text(cl_uint index, cl_kernel_arg_info name) {
    return text_of([&](std::size_t size, void* value, std::size_t* size_ret) {
      return clGetKernelArgInfo(all, index, name, size, value, size_ret);
    });
  }
  std::vector<cl_int> read(std::size_t count) {
    std::vector<cl_int> values(count);
    REQUIRE(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * 4, values.data(), 0, nullptr,
                                nullptr) == CL_SUCCESS);
    return values;
  }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "creating kernels") {
  cl_int code = 0;
  CHECK(clCreateKernel(nullptr, "all", &code) == nullptr);
  CHECK(code == CL_INVALID_PROGRAM);
  CHECK(clCreateKernel(program, "nothing", &code) == nullptr);
  CHECK(code == CL_INVALID_KERNEL_NAME);
  CHECK(clCreateKernel(program, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  std::array<cl_kernel, 3> kernels{};
  cl_uint count = 0;
  CHECK(clCreateKernelsInProgram(program, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(count == 3);
  CHECK(clCreateKernelsInProgram(program, 2, kernels.data(), &count) == CL_INVALID_VALUE);
  CHECK(clCreateKernelsInProgram(program, 3, kernels.data(), nullptr) == CL_SUCCESS);
  CHECK(clCreateKernelsInProgram(nullptr, 0, nullptr, &count) == CL_INVALID_PROGRAM);
  for (cl_kernel k : kernels) CHECK(clReleaseKernel(k) == CL_SUCCESS);
  CHECK(clRetainKernel(nullptr) == CL_INVALID_KERNEL);
  CHECK(clReleaseKernel(reinterpret_cast<cl_kernel>(program)) == CL_INVALID_KERNEL);
  CHECK(clCloneKernel(nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_KERNEL);
}

TEST_CASE_FIXTURE(Fixture, "arguments: what fits and what does not") {
  struct Pair {
    int a = 1;
    float b = 2;
  } pair;
  const cl_uint n = 3;
  const cl_float4 v{};
  const cl_mem none = nullptr;
  const cl_mem wrong = reinterpret_cast<cl_mem>(context);
  CHECK(clSetKernelArg(nullptr, 0, 4, &n) == CL_INVALID_KERNEL);
  CHECK(set(7, 4, &n) == CL_INVALID_ARG_INDEX);
  CHECK(set(0, sizeof buffer, &buffer) == CL_SUCCESS);
  CHECK(set(0, sizeof buffer, &none) == CL_SUCCESS);
  CHECK(set(0, sizeof buffer, nullptr) == CL_SUCCESS);
  CHECK(set(0, 4, &buffer) == CL_INVALID_ARG_SIZE);
  CHECK(set(0, sizeof buffer, &wrong) == CL_INVALID_MEM_OBJECT);
  CHECK(set(2, 16, nullptr) == CL_SUCCESS);
  CHECK(set(2, 0, nullptr) == CL_INVALID_ARG_SIZE);
  CHECK(set(2, 16, &n) == CL_INVALID_ARG_VALUE);
  CHECK(set(3, sizeof pair, &pair) == CL_SUCCESS);
  CHECK(set(3, 4, &pair) == CL_INVALID_ARG_SIZE);
  CHECK(set(4, sizeof n, &n) == CL_SUCCESS);
  CHECK(set(4, 8, &v) == CL_INVALID_ARG_SIZE);
  CHECK(set(4, sizeof n, nullptr) == CL_INVALID_ARG_VALUE);
  CHECK(set(5, 16, &v) == CL_SUCCESS);
  CHECK(set(5, 12, &v) == CL_INVALID_ARG_SIZE);

  CHECK(clSetKernelArgSVMPointer(nullptr, 0, nullptr) == CL_INVALID_KERNEL);
  CHECK(clSetKernelArgSVMPointer(all, 9, nullptr) == CL_INVALID_ARG_INDEX);
  CHECK(clSetKernelArgSVMPointer(all, 4, nullptr) == CL_INVALID_ARG_VALUE);
  CHECK(clSetKernelArgSVMPointer(all, 0, &pair) == CL_INVALID_ARG_VALUE);
  CHECK(clSetKernelArgSVMPointer(all, 0, nullptr) == CL_SUCCESS);

  cl_bool yes = CL_TRUE;
  const void* pointers[] = {&pair};
  CHECK(clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, pointers) ==
        CL_INVALID_KERNEL);
  CHECK(clSetKernelExecInfo(all, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, pointers) == CL_SUCCESS);
  CHECK(clSetKernelExecInfo(all, CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, pointers) == CL_INVALID_VALUE);
  CHECK(clSetKernelExecInfo(all, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetKernelExecInfo(all, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, pointers) == CL_INVALID_VALUE);
  CHECK(clSetKernelExecInfo(all, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr) == CL_SUCCESS);
  CHECK(clSetKernelExecInfo(all, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4, &yes) ==
        CL_INVALID_OPERATION);
  CHECK(clSetKernelExecInfo(all, 0xffff, 4, &yes) == CL_INVALID_VALUE);
}

TEST_CASE_FIXTURE(Fixture, "a launch sees the arguments of its enqueueing") {
  struct Pair {
    int a = 100;
    float b = 2;
  } pair;
  cl_uint n = 5;
  const cl_float4 v{{0, 0, 1000, 0}};
  CHECK(launch(all, {8}, {8}) == CL_INVALID_KERNEL_ARGS);
  REQUIRE(set(0, sizeof buffer, &buffer) == CL_SUCCESS);
  REQUIRE(set(1, sizeof buffer, nullptr) == CL_SUCCESS);
  REQUIRE(set(2, 64, nullptr) == CL_SUCCESS);
  REQUIRE(set(3, sizeof pair, &pair) == CL_SUCCESS);
  REQUIRE(set(4, sizeof n, &n) == CL_SUCCESS);
  REQUIRE(set(5, sizeof v, &v) == CL_SUCCESS);
  CHECK(launch(all, {8}, {8}) == CL_INVALID_KERNEL_ARGS);  // the last is unset
  REQUIRE(clSetKernelArgSVMPointer(all, 6, nullptr) == CL_SUCCESS);
  REQUIRE(launch(all, {8}, {8}) == CL_SUCCESS);
  cl_int code = 0;
  cl_kernel clone = clCloneKernel(all, &code);
  REQUIRE(code == CL_SUCCESS);
  n = 6;
  REQUIRE(set(4, sizeof n, &n) == CL_SUCCESS);
  CHECK(read(8) == std::vector<cl_int>(8, 1105));
  REQUIRE(launch(all, {8}, {8}) == CL_SUCCESS);
  CHECK(read(8) == std::vector<cl_int>(8, 1106));
  REQUIRE(launch(clone, {8}, {8}) == CL_SUCCESS);
  CHECK(read(8) == std::vector<cl_int>(8, 1105));
  REQUIRE(clSetKernelArg(clone, 2, 60'000, nullptr) == CL_SUCCESS);
  CHECK(launch(clone, {8}, {8}) == CL_SUCCESS);
  REQUIRE(clSetKernelArg(clone, 2, 70'000, nullptr) == CL_SUCCESS);
  CHECK(launch(clone, {8}, {8}) == CL_OUT_OF_RESOURCES);
  clReleaseKernel(clone);
}

TEST_CASE_FIXTURE(Fixture, "launches: bad sizes") {
  REQUIRE(clSetKernelArg(ids, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  REQUIRE(clSetKernelArg(shaped, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  constexpr std::size_t kMost = SIZE_MAX;
  const std::size_t one = 1;
  CHECK(clEnqueueNDRangeKernel(nullptr, ids, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_COMMAND_QUEUE);
  CHECK(clEnqueueNDRangeKernel(queue, nullptr, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_KERNEL);
  CHECK(clEnqueueNDRangeKernel(queue, ids, 0, nullptr, &one, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_WORK_DIMENSION);
  CHECK(launch(ids, {1, 1, 1, 1}) == CL_INVALID_WORK_DIMENSION);
  CHECK(launch(ids, {0}) == CL_SUCCESS);
  CHECK(clEnqueueNDRangeKernel(queue, ids, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr) ==
        CL_SUCCESS);
  CHECK(launch(ids, {2}, {1}, {kMost}) == CL_INVALID_GLOBAL_OFFSET);
  CHECK(launch(ids, {kMost, 2}) == CL_INVALID_GLOBAL_WORK_SIZE);
  CHECK(launch(ids, {8}, {0}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launch(ids, {8192}, {8192}) == CL_INVALID_WORK_ITEM_SIZE);
  CHECK(launch(ids, {128, 128}, {128, 128}) == CL_INVALID_WORK_GROUP_SIZE);
  notes.clear();
  CHECK(launch(ids, {10}, {4}) == CL_INVALID_WORK_GROUP_SIZE);  // OpenCL C 1.2
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("error[TSP-C0005]: the work-group size (4) does not divide the global size "
                      "(10)") != std::string::npos);
  CHECK(launch(shaped, {8, 2}, {4, 2}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launch(shaped, {8, 3}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launch(shaped, {8}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(launch(shaped, {8, 2}) == CL_SUCCESS);
  CHECK(read(1)[0] == 1);
  CHECK(launch(ids, {8}, {4}, {16}) == CL_SUCCESS);
  CHECK(read(24)[23] == 23);
  CHECK(clEnqueueTask(queue, ids, 0, nullptr, nullptr) == CL_SUCCESS);
  CHECK(clEnqueueTask(queue, shaped, 0, nullptr, nullptr) == CL_INVALID_WORK_GROUP_SIZE);
  clFinish(queue);

  cl_program newer =
      built("kernel void k(global int *a) { a[get_global_id(0)] = 7; }", "-cl-std=CL2.0");
  cl_kernel k = kernel(newer, "k");
  REQUIRE(clSetKernelArg(k, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  CHECK(launch(k, {10}, {4}) == CL_SUCCESS);
  CHECK(read(10) == std::vector<cl_int>(10, 7));
  clReleaseKernel(k);
  REQUIRE(build(newer, "-cl-std=CL2.0 -cl-uniform-work-group-size") == CL_SUCCESS);
  k = kernel(newer, "k");
  REQUIRE(clSetKernelArg(k, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  CHECK(launch(k, {10}, {4}) == CL_INVALID_WORK_GROUP_SIZE);
  clReleaseKernel(k);
  clReleaseProgram(newer);
}

TEST_CASE_FIXTURE(Fixture, "launches: other contexts and wait lists") {
  Host other;
  REQUIRE(clSetKernelArg(ids, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  const std::size_t one = 1;
  CHECK(clEnqueueNDRangeKernel(other.queue, ids, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_CONTEXT);
  cl_mem foreign = clCreateBuffer(other.context, 0, 64, nullptr, nullptr);
  CHECK(clSetKernelArg(ids, 0, sizeof foreign, &foreign) == CL_INVALID_MEM_OBJECT);
  cl_event event = nullptr;
  CHECK(clEnqueueNDRangeKernel(queue, ids, 1, nullptr, &one, nullptr, 1, nullptr, &event) ==
        CL_INVALID_EVENT_WAIT_LIST);
  CHECK(clEnqueueNDRangeKernel(queue, ids, 1, nullptr, &one, nullptr, 0, nullptr, &event) ==
        CL_SUCCESS);
  cl_command_type type = 0;
  CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr) == CL_SUCCESS);
  CHECK(type == CL_COMMAND_NDRANGE_KERNEL);
  CHECK(clEnqueueNDRangeKernel(other.queue, ids, 1, nullptr, &one, nullptr, 1, &event, nullptr) ==
        CL_INVALID_CONTEXT);
  CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
  clReleaseEvent(event);
  clReleaseMemObject(foreign);
}

TEST_CASE_FIXTURE(Fixture, "shared memory: a kernel follows pointers") {
  cl_program chase = built(
      "typedef struct Node { global struct Node *next; int value; } Node;\n"
      "kernel void sum(global int *out, global Node *n) {\n"
      "  int s = 0;\n  for (; n; n = n->next) s += n->value;\n  *out = s;\n}");
  cl_kernel sum = kernel(chase, "sum");
  struct Node {
    Node* next;
    int value;
  };
  auto* a = static_cast<Node*>(clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof(Node), 0));
  auto* b = static_cast<Node*>(clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof(Node), 0));
  REQUIRE(a != nullptr);
  REQUIRE(b != nullptr);
  *a = {b, 40};
  *b = {nullptr, 2};
  const void* others[] = {b};
  REQUIRE(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof others, others) ==
          CL_SUCCESS);
  REQUIRE(clSetKernelArg(sum, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  REQUIRE(clSetKernelArgSVMPointer(sum, 1, a) == CL_SUCCESS);
  REQUIRE(launch(sum, {1}) == CL_SUCCESS);
  CHECK(read(1)[0] == 42);
  clSVMFree(context, a);
  clSVMFree(context, b);
  clReleaseKernel(sum);
  clReleaseProgram(chase);
}

TEST_CASE_FIXTURE(Fixture, "kernels do not hold the buffers that are their arguments") {
  static int gone;
  gone = 0;
  cl_mem lost = clCreateBuffer(context, 0, 64, nullptr, nullptr);
  REQUIRE(clSetMemObjectDestructorCallback(
              lost, [](cl_mem, void*) { ++gone; }, nullptr) == CL_SUCCESS);
  REQUIRE(clSetKernelArg(ids, 0, sizeof lost, &lost) == CL_SUCCESS);
  cl_kernel clone = clCloneKernel(ids, nullptr);
  REQUIRE(launch(clone, {8}) == CL_SUCCESS);  // a launch on its way does
  clReleaseMemObject(lost);
  CHECK(gone == 0);
  REQUIRE(clFinish(queue) == CL_SUCCESS);
  CHECK(gone == 1);
  CHECK(launch(ids, {8}) == CL_INVALID_KERNEL_ARGS);
  CHECK(launch(clone, {8}) == CL_INVALID_KERNEL_ARGS);
  REQUIRE(clSetKernelArg(ids, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  CHECK(launch(ids, {8}) == CL_SUCCESS);
  CHECK(clFinish(queue) == CL_SUCCESS);
  clReleaseKernel(clone);
}

TEST_CASE_FIXTURE(Fixture, "shared memory: a buffer made of it has its addresses") {
  cl_program linking = built(
      "typedef struct Node { global struct Node *next; int value; } Node;\n"
      "kernel void chain(global Node *nodes) {\n"
      "  size_t i = get_global_id(0);\n  nodes[i].next = &nodes[i + 1];\n  nodes[i].value = i;\n}");
  cl_kernel chain = kernel(linking, "chain");
  struct Node {
    Node* next;
    int value;
  };
  auto* nodes = static_cast<Node*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 8 * sizeof(Node), 0));
  REQUIRE(nodes != nullptr);
  cl_mem over = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8 * sizeof(Node), nodes, nullptr);
  REQUIRE(clSetKernelArg(chain, 0, sizeof over, &over) == CL_SUCCESS);
  REQUIRE(launch(chain, {8}) == CL_SUCCESS);
  REQUIRE(clFinish(queue) == CL_SUCCESS);
  for (int i = 0; i < 8; ++i) {
    CHECK(nodes[i].next == &nodes[i + 1]);
    CHECK(nodes[i].value == i);
  }
  clReleaseMemObject(over);
  clSVMFree(context, nodes);
  clReleaseKernel(chain);
  clReleaseProgram(linking);
}

TEST_CASE_FIXTURE(Fixture, "attributes are those of the source") {
  cl_program program = built(R"(
#define NAME hinted
// kernel __attribute__((vec_type_hint(char16))) void hinted(void)
__attribute__((always_inline)) void helper(global int *p) { *p = 1; }
__kernel __attribute__(( vec_type_hint( uint4 ) )) __attribute__((work_group_size_hint(4, 1, 1),
    reqd_work_group_size(2 /* two */, 1, 1)))
void hinted(global int *p) { helper(p); }
kernel void plain(global int *p __attribute__((aligned(4)))) { helper(p); }
__attribute__((reqd_work_group_size(8, 1, 1))) kernel void before(global int *p) { helper(p); }
)");
  const auto text = [&](const char* name) {
    cl_kernel k = kernel(program, name);
    char buffer[256] = {};
    CHECK(clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof buffer, buffer, nullptr) == CL_SUCCESS);
    clReleaseKernel(k);
    return std::string(buffer);
  };
  CHECK(text("hinted") ==
        "vec_type_hint(uint4) work_group_size_hint(4,1,1) reqd_work_group_size(2,1,1)");
  CHECK(text("plain").empty());
  CHECK(text("before") == "reqd_work_group_size(8,1,1)");
  clReleaseProgram(program);
}

TEST_CASE_FIXTURE(Fixture, "kernel queries") {
  const auto text = [](cl_kernel k, cl_kernel_info name) {
    return text_of([=](std::size_t size, void* value, std::size_t* size_ret) {
      return clGetKernelInfo(k, name, size, value, size_ret);
    });
  };
  CHECK(text(all, CL_KERNEL_FUNCTION_NAME) == "all");
  CHECK(text(all, CL_KERNEL_ATTRIBUTES).empty());
  CHECK(text(shaped, CL_KERNEL_ATTRIBUTES) == "reqd_work_group_size(8,2,1) vec_type_hint(float4)");
  cl_uint count = 0;
  CHECK(clGetKernelInfo(all, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr) == CL_SUCCESS);
  CHECK(count == 7);
  CHECK(clGetKernelInfo(all, CL_KERNEL_NUM_ARGS, 1, &count, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetKernelInfo(all, 0xffff, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetKernelInfo(nullptr, CL_KERNEL_NUM_ARGS, 0, nullptr, nullptr) == CL_INVALID_KERNEL);

  CHECK(group_info<std::size_t>(ids, CL_KERNEL_WORK_GROUP_SIZE) == 4096);
  CHECK(group_info<std::size_t>(shaped, CL_KERNEL_WORK_GROUP_SIZE) == 16);
  using Size = std::array<std::size_t, 3>;
  CHECK(group_info<Size>(shaped, CL_KERNEL_COMPILE_WORK_GROUP_SIZE) == Size{8, 2, 1});
  CHECK(group_info<Size>(ids, CL_KERNEL_COMPILE_WORK_GROUP_SIZE) == Size{0, 0, 0});
  CHECK(group_info<cl_ulong>(shaped, CL_KERNEL_LOCAL_MEM_SIZE) == 256);
  CHECK(group_info<cl_ulong>(all, CL_KERNEL_LOCAL_MEM_SIZE) == 0);
  REQUIRE(set(2, 64, nullptr) == CL_SUCCESS);
  CHECK(group_info<cl_ulong>(all, CL_KERNEL_LOCAL_MEM_SIZE) == 64);
  CHECK(group_info<std::size_t>(ids, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE) > 0);
  CHECK(clGetKernelWorkGroupInfo(ids, nullptr, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr) ==
        CL_SUCCESS);
  CHECK(clGetKernelWorkGroupInfo(ids, device, CL_KERNEL_GLOBAL_WORK_SIZE, 0, nullptr, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(clGetKernelWorkGroupInfo(ids, reinterpret_cast<cl_device_id>(queue),
                                 CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr,
                                 nullptr) == CL_INVALID_DEVICE);
}

TEST_CASE_FIXTURE(Fixture, "argument queries speak the source's words") {
  const char* types[] = {"int*", "float*", "int*", "Pair", "uint", "float3", "short*"};
  const char* names[] = {"out", "c", "scratch", "pair", "n", "v", "in"};
  const cl_kernel_arg_address_qualifier spaces[] = {
      CL_KERNEL_ARG_ADDRESS_GLOBAL,  CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL,
      CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_PRIVATE,  CL_KERNEL_ARG_ADDRESS_PRIVATE,
      CL_KERNEL_ARG_ADDRESS_GLOBAL};
  const cl_kernel_arg_type_qualifier qualifiers[] = {
      CL_KERNEL_ARG_TYPE_RESTRICT,
      CL_KERNEL_ARG_TYPE_CONST,
      0,
      0,
      0,
      0,
      CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_VOLATILE};
  for (cl_uint i = 0; i < 7; ++i) {
    CAPTURE(i);
    CHECK(arg_text(i, CL_KERNEL_ARG_TYPE_NAME) == types[i]);
    CHECK(arg_text(i, CL_KERNEL_ARG_NAME) == names[i]);
    CHECK(arg_info<cl_kernel_arg_address_qualifier>(i, CL_KERNEL_ARG_ADDRESS_QUALIFIER) ==
          spaces[i]);
    CHECK(arg_info<cl_kernel_arg_type_qualifier>(i, CL_KERNEL_ARG_TYPE_QUALIFIER) == qualifiers[i]);
    CHECK(arg_info<cl_kernel_arg_access_qualifier>(i, CL_KERNEL_ARG_ACCESS_QUALIFIER) ==
          CL_KERNEL_ARG_ACCESS_NONE);
  }
  CHECK(clGetKernelArgInfo(all, 7, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) ==
        CL_INVALID_ARG_INDEX);
  CHECK(clGetKernelArgInfo(all, 0, 0xffff, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetKernelArgInfo(nullptr, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) ==
        CL_INVALID_KERNEL);
}

TEST_CASE_FIXTURE(Host, "what a kernel's parameters are is told when the build asked for it") {
  cl_program program = built("kernel void k(global int *out) { out[0] = 1; }");
  cl_kernel k = kernel(program, "k");
  CHECK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) ==
        CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
  CHECK(clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) == CL_INVALID_ARG_INDEX);
  clReleaseKernel(k);
  clReleaseProgram(program);
}

}  // namespace transpire::test
