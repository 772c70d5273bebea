// Kernels: creating, arguments, queries and launches. Bad arguments: refusals_programs_test.cpp.
#include "tests/opencl/images.h"
#include "tests/opencl/support.h"
#include "transpire/transpire.hpp"

namespace transpire::test::kernels_tests {
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

struct Pair {
  int a;
  float b;
};

struct Kernels : Host {
  Program program = built(kSource, "-cl-kernel-arg-info");
  Kernel all = kernel(program, "all"), shaped = kernel(program, "shaped"),
         ids = kernel(program, "ids");
  Memory memory = buffer(4096);

  std::vector<cl_int> ints(std::size_t count) const { return read<cl_int>(memory, count); }
  template <class T>
  T group_info(cl_kernel k, cl_kernel_work_group_info name) const {
    return info<T>(clGetKernelWorkGroupInfo, k, device, name);
  }
};

TEST_CASE_FIXTURE(Kernels, "creating kernels") {
  cl_kernel made[3] = {};
  cl_uint count = 0;
  CHECK(clCreateKernelsInProgram(program, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(count == 3);
  CHECK(clCreateKernelsInProgram(program, 2, made, &count) == CL_INVALID_VALUE);
  CHECK(clCreateKernelsInProgram(program, 3, made, nullptr) == CL_SUCCESS);
  for (const cl_kernel k : made) CHECK(clReleaseKernel(k) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Kernels, "arguments: what fits") {
  const cl_mem none = nullptr;
  set(all, memory, nullptr, Local{16}, Pair{1, 2}, cl_uint{3}, cl_float4{});
  CHECK(set_argument(all, 0, none) == CL_SUCCESS);
  CHECK(set_argument(all, 0, nullptr) == CL_SUCCESS);
  CHECK(set_argument(all, 0, Shared{nullptr}) == CL_SUCCESS);
  const void* pointers[] = {&none};
  CHECK(clSetKernelExecInfo(all, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, pointers) == CL_SUCCESS);
  CHECK(clSetKernelExecInfo(all, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Kernels, "a launch sees the arguments of its enqueueing") {
  CHECK(enqueue(all, {8}, {8}) == CL_INVALID_KERNEL_ARGS);
  set(all, memory, nullptr, Local{64}, Pair{100, 2}, cl_uint{5}, cl_float4{{0, 0, 1000, 0}});
  CHECK(enqueue(all, {8}, {8}) == CL_INVALID_KERNEL_ARGS);  // the last is unset
  REQUIRE(set_argument(all, 6, Shared{nullptr}) == CL_SUCCESS);
  REQUIRE(enqueue(all, {8}, {8}) == CL_SUCCESS);
  const Kernel clone = clCloneKernel(all, nullptr);
  REQUIRE(clone != nullptr);
  REQUIRE(set_argument(all, 4, cl_uint{6}) == CL_SUCCESS);
  CHECK(ints(8) == std::vector<cl_int>(8, 1105));
  REQUIRE(enqueue(all, {8}, {8}) == CL_SUCCESS);
  CHECK(ints(8) == std::vector<cl_int>(8, 1106));
  REQUIRE(enqueue(clone, {8}, {8}) == CL_SUCCESS);
  CHECK(ints(8) == std::vector<cl_int>(8, 1105));
  REQUIRE(set_argument(clone, 2, Local{60'000}) == CL_SUCCESS);
  CHECK(enqueue(clone, {8}, {8}) == CL_SUCCESS);
  REQUIRE(set_argument(clone, 2, Local{70'000}) == CL_SUCCESS);
  CHECK(enqueue(clone, {8}, {8}) == CL_OUT_OF_RESOURCES);
}

TEST_CASE_FIXTURE(Kernels, "sizes of launches") {
  set(ids, memory);
  set(shaped, memory);
  CHECK(enqueue(ids, {0}) == CL_SUCCESS);
  CHECK(issue(clEnqueueNDRangeKernel, queue, ids, 1, nullptr, nullptr, nullptr) == CL_SUCCESS);
  CHECK(enqueue(ids, {128, 128}, {128, 128}) == CL_INVALID_WORK_GROUP_SIZE);
  notes.clear();
  CHECK(enqueue(ids, {10}, {4}) == CL_INVALID_WORK_GROUP_SIZE);  // OpenCL C 1.2
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("error[TSP-C0005]: the work-group size (4) does not divide the global size "
                      "(10)") != std::string::npos);
  CHECK(enqueue(shaped, {8, 2}, {4, 2}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(enqueue(shaped, {8, 2}) == CL_SUCCESS);
  CHECK(ints(1)[0] == 1);
  CHECK(enqueue(ids, {8}, {4}, {16}) == CL_SUCCESS);
  CHECK(ints(24)[23] == 23);
  CHECK(issue(clEnqueueTask, queue, ids) == CL_SUCCESS);
  clFinish(queue);

  for (const bool uniform : {false, true}) {
    CAPTURE(uniform);
    const char* const options =
        uniform ? "-cl-std=CL2.0 -cl-uniform-work-group-size" : "-cl-std=CL2.0";
    const Kernel k =
        kernel(built("kernel void k(global int *a) { a[get_global_id(0)] = 7; }", options), "k");
    set(k, memory);
    CHECK(enqueue(k, {10}, {4}) == (uniform ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS));
    CHECK(ints(10) == std::vector<cl_int>(10, 7));
  }
}

TEST_CASE_FIXTURE(Kernels, "the event of a launch") {
  set(ids, memory);
  Event event;
  CHECK(test::enqueue(queue, ids, {1}, {}, {}, &event) == CL_SUCCESS);
  CHECK(info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE) ==
        CL_COMMAND_NDRANGE_KERNEL);
  const Host other;
  CHECK(test::enqueue(other.queue, ids, {1}, {}, {event}) == CL_INVALID_CONTEXT);
  CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Kernels,
                  "shared memory: kernels follow pointers, and make them in a buffer of it") {
  const Program nodes = built(
      "typedef struct Node { global struct Node *next; int value; } Node;\n"
      "kernel void sum(global int *out, global Node *n) {\n"
      "  int s = 0;\n  for (; n; n = n->next) s += n->value;\n  *out = s;\n}\n"
      "kernel void chain(global Node *nodes) {\n"
      "  size_t i = get_global_id(0);\n  nodes[i].next = &nodes[i + 1];\n  nodes[i].value = i;\n}");
  const Kernel sum = kernel(nodes, "sum"), chain = kernel(nodes, "chain");
  struct Node {
    Node* next;
    int value;
  };
  const auto allocated = [&](std::size_t count, cl_svm_mem_flags flags) {
    auto* const made = static_cast<Node*>(clSVMAlloc(context, flags, count * sizeof(Node), 0));
    REQUIRE(made != nullptr);
    return made;
  };
  Node* const a = allocated(1, CL_MEM_SVM_FINE_GRAIN_BUFFER);
  Node* const b = allocated(1, CL_MEM_SVM_FINE_GRAIN_BUFFER);
  *a = {b, 40};
  *b = {nullptr, 2};
  const void* others[] = {b};
  REQUIRE(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof others, others) ==
          CL_SUCCESS);
  set(sum, memory, Shared{a});
  REQUIRE(enqueue(sum, {1}) == CL_SUCCESS);
  CHECK(ints(1)[0] == 42);

  Node* const list = allocated(8, CL_MEM_READ_WRITE);
  Memory over = buffer(8 * sizeof(Node), CL_MEM_USE_HOST_PTR, list);
  set(chain, over);
  REQUIRE(enqueue(chain, {8}) == CL_SUCCESS);
  REQUIRE(clFinish(queue) == CL_SUCCESS);
  for (int i = 0; i < 8; ++i) {
    CHECK(list[i].next == &list[i + 1]);
    CHECK(list[i].value == i);
  }
  over.drop();
  for (Node* const each : {a, b, list}) clSVMFree(context, each);
}

TEST_CASE_FIXTURE(Kernels, "kernels do not hold the buffers that are their arguments") {
  static int gone;
  gone = 0;
  Memory lost = buffer(64);
  REQUIRE(clSetMemObjectDestructorCallback(
              lost, [](cl_mem, void*) { ++gone; }, nullptr) == CL_SUCCESS);
  set(ids, lost);
  const Kernel clone = clCloneKernel(ids, nullptr);
  REQUIRE(enqueue(clone, {8}) == CL_SUCCESS);  // a launch on its way does
  lost.drop();
  CHECK(gone == 0);
  REQUIRE(clFinish(queue) == CL_SUCCESS);
  CHECK(gone == 1);
  CHECK(enqueue(ids, {8}) == CL_INVALID_KERNEL_ARGS);
  CHECK(enqueue(clone, {8}) == CL_INVALID_KERNEL_ARGS);
  set(ids, memory);
  CHECK(enqueue(ids, {8}) == CL_SUCCESS);
  CHECK(clFinish(queue) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Host, "attributes are those of the source") {
  const Program program = built(R"(
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
    return text_info(clGetKernelInfo, kernel(program, name), CL_KERNEL_ATTRIBUTES);
  };
  CHECK(text("hinted") ==
        "vec_type_hint(uint4) work_group_size_hint(4,1,1) reqd_work_group_size(2,1,1)");
  CHECK(text("plain").empty());
  CHECK(text("before") == "reqd_work_group_size(8,1,1)");
}

TEST_CASE_FIXTURE(Kernels, "kernel queries") {
  CHECK(text_info(clGetKernelInfo, all, CL_KERNEL_FUNCTION_NAME) == "all");
  CHECK(text_info(clGetKernelInfo, all, CL_KERNEL_ATTRIBUTES).empty());
  CHECK(text_info(clGetKernelInfo, shaped, CL_KERNEL_ATTRIBUTES) ==
        "reqd_work_group_size(8,2,1) vec_type_hint(float4)");
  CHECK(info<cl_uint>(clGetKernelInfo, all, CL_KERNEL_NUM_ARGS) == 7);
  CHECK(group_info<std::size_t>(ids, CL_KERNEL_WORK_GROUP_SIZE) == 4096);
  CHECK(group_info<std::size_t>(shaped, CL_KERNEL_WORK_GROUP_SIZE) == 16);
  using Size = std::array<std::size_t, 3>;
  CHECK(group_info<Size>(shaped, CL_KERNEL_COMPILE_WORK_GROUP_SIZE) == Size{8, 2, 1});
  CHECK(group_info<Size>(ids, CL_KERNEL_COMPILE_WORK_GROUP_SIZE) == Size{0, 0, 0});
  CHECK(group_info<cl_ulong>(shaped, CL_KERNEL_LOCAL_MEM_SIZE) == 256);
  CHECK(group_info<cl_ulong>(all, CL_KERNEL_LOCAL_MEM_SIZE) == 0);
  REQUIRE(set_argument(all, 2, Local{64}) == CL_SUCCESS);
  CHECK(group_info<cl_ulong>(all, CL_KERNEL_LOCAL_MEM_SIZE) == 64);
  CHECK(group_info<std::size_t>(ids, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE) > 0);
  CHECK(clGetKernelWorkGroupInfo(ids, nullptr, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr) ==
        CL_SUCCESS);
}

TEST_CASE_FIXTURE(Kernels, "argument queries speak the source's words") {
  struct Parameter {
    const char *type, *name;
    cl_kernel_arg_address_qualifier space;
    cl_kernel_arg_type_qualifier qualifiers;
  };
  constexpr cl_kernel_arg_type_qualifier kConst = CL_KERNEL_ARG_TYPE_CONST;
  const Parameter parameters[] = {
      {"int*", "out", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_RESTRICT},
      {"float*", "c", CL_KERNEL_ARG_ADDRESS_CONSTANT, kConst},
      {"int*", "scratch", CL_KERNEL_ARG_ADDRESS_LOCAL, 0},
      {"Pair", "pair", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
      {"uint", "n", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
      {"float3", "v", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
      {"short*", "in", CL_KERNEL_ARG_ADDRESS_GLOBAL, kConst | CL_KERNEL_ARG_TYPE_VOLATILE}};
  cl_uint i = 0;
  for (const Parameter& each : parameters) {
    CAPTURE(i);
    const auto tell = [&]<class T>(cl_kernel_arg_info name, T) {
      return info<T>(clGetKernelArgInfo, all, i, name);
    };
    CHECK(text_info(clGetKernelArgInfo, all, i, CL_KERNEL_ARG_TYPE_NAME) == each.type);
    CHECK(text_info(clGetKernelArgInfo, all, i, CL_KERNEL_ARG_NAME) == each.name);
    CHECK(tell(CL_KERNEL_ARG_ADDRESS_QUALIFIER, each.space) == each.space);
    CHECK(tell(CL_KERNEL_ARG_TYPE_QUALIFIER, each.qualifiers) == each.qualifiers);
    CHECK(tell(CL_KERNEL_ARG_ACCESS_QUALIFIER, cl_kernel_arg_access_qualifier{}) ==
          CL_KERNEL_ARG_ACCESS_NONE);
    ++i;
  }
}

/// The kernel `foo` of a golden program of clspv's.
Kernel foo_of(const Host& host, const std::string& name) {
  const auto module = Module::load_file(TRANSPIRE_PROGRAMS "/clspv/" + name + ".spvasm");
  REQUIRE(module.ok());
  const Program program =
      host.from_il(std::vector<cl_uint>(module->words().begin(), module->words().end()));
  REQUIRE(host.build(program) == CL_SUCCESS);
  return host.kernel(program, "foo");
}

TEST_CASE_FIXTURE(Host, "a kernel that clspv compiled takes its arguments by their numbers") {
  const Kernel foo = foo_of(*this, "arguments_storage");
  CHECK(info<cl_uint>(clGetKernelInfo, foo, CL_KERNEL_NUM_ARGS) == 5);
  const Memory y = buffer(32), x = buffer_of<cl_uint>({0, 1, 2, 3, 4, 5, 6, 7});
  const cl_uint a = 10;
  const cl_uint2 b{{5, 1}};
  set(foo, y, a, x, b, Local{16});
  REQUIRE(enqueue(foo, {8}, {4}) == CL_SUCCESS);
  CHECK(read<cl_uint>(y, 8) == std::vector<cl_uint>{31, 21, 11, 1, 71, 61, 51, 41});
  REQUIRE(enqueue(foo, {8}, {2}) == CL_SUCCESS);
  CHECK(read<cl_uint>(y, 8) == std::vector<cl_uint>{11, 1, 31, 21, 51, 41, 71, 61});
}

TEST_CASE_FIXTURE(Host, "a kernel that clspv compiled takes buffers by their addresses") {
  const Kernel foo = foo_of(*this, "addresses_push");
  const Memory out = buffer(20), in = buffer_of<cl_uint>({100, 200, 300, 400});
  set(foo, out, in, cl_uint{1000});
  REQUIRE(enqueue(foo, {4}, {4}) == CL_SUCCESS);
  CHECK(read<cl_uint>(out, 5) == std::vector<cl_uint>{1112, 1206, 1308, 1414, 0});
}

TEST_CASE_FIXTURE(Images, "a kernel that clspv compiled takes images and samplers") {
  const Kernel foo = foo_of(*this, "images_push");
  const cl_image_format floats{CL_R, CL_FLOAT};
  const Sizes all{4, 1, 1};
  const Memory in = make(plane(4, 1), floats), out = make(plane(4, 1), floats);
  const std::vector<cl_float> values{10, 20, 30, 40};
  REQUIRE(write(in, kZero, all, values.data()) == CL_SUCCESS);
  const auto texel_buffer = [&](cl_mem of, cl_channel_type type) {
    cl_image_desc desc = plane(4);
    desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    desc.mem_object = of;
    return make(desc, {CL_R, type});
  };
  const Memory shorts = buffer_of<cl_ushort>({1, 2, 3, 4}), words = buffer(16), y = buffer(16);
  const Memory from = texel_buffer(shorts, CL_UNSIGNED_INT16),
               to = texel_buffer(words, CL_UNSIGNED_INT32);
  const Sampler smooth = sampler(CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR);
  set(foo, in, smooth, out, cl_uint{1000}, from, to, y);
  REQUIRE(enqueue(foo, {4}, {4}) == CL_SUCCESS);
  CHECK(texels<cl_float>(out, all) == std::vector<cl_float>{35, 55, 75, 80});
  CHECK(Host::read<cl_uint>(words, 4) == std::vector<cl_uint>{1004, 1003, 1002, 1001});
  CHECK(Host::read<cl_uint>(y, 4) ==
        std::vector<cl_uint>{CL_R, CL_UNSIGNED_INT16 + 1, CL_R + 2, CL_UNSIGNED_INT16 + 3});
}

}  // namespace
}  // namespace transpire::test::kernels_tests
