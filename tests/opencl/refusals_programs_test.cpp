// Bad arguments of functions on programs and kernels. OpenCL 2.2 API, sections 5.8 to 5.10.
#include <thread>

#include "tests/opencl/refusals.h"

namespace transpire::test::refusals_programs_tests {
namespace {

constexpr const char* kSource = R"(
typedef struct { int a, b; } Pair;
kernel void all(global int *out, local int *scratch, Pair pair, int n, constant int *c) {
  out[get_global_id(0)] = pair.a + n + (c ? c[0] : 0);
  scratch[0] = n;
}
__attribute__((reqd_work_group_size(8, 2, 1))) kernel void shaped(global int *out) { out[0] = 1; }
kernel void ids(global int *out) { out[get_global_id(0)] = get_global_id(0); }
int rabbits(int n) { return n < 2 ? n : rabbits(n - 1) + rabbits(n - 2); }
kernel void sampled(sampler_t how) {}
kernel void wide(float3 v) {}
kernel void refused(global int *a) { a[0] = rabbits(a[0]); }
)";

void CL_CALLBACK ignore_program(cl_program, void*) {}

/// Programs in all states, and kernels.
struct Programs : Setup {
  Parts parts{{1}};
  cl_device_id part = parts.devices[0];  ///< a device of none of the contexts
  Program built_one = built(kSource), unbuilt = source(kSource), wrong = source("kernel void k( {");
  Program object = source("int f() { return 1; }\n");
  Program unresolved = source("int g();\nkernel void k(global int *a) { a[0] = g(); }\n");
  std::vector<std::uint32_t> words = specialisable_module();
  std::size_t bytes = words.size() * sizeof(std::uint32_t);
  Program il = from_il(words), linked;
  Program foreign = clCreateProgramWithIL(other_context, words.data(), bytes, nullptr);
  Kernel all = kernel(built_one, "all"), shaped = kernel(built_one, "shaped"),
         ids = kernel(built_one, "ids");
  Memory memory = buffer(4096);
  mutable char data[64] = {};

  Programs() {
    for (const cl_program program : {cl_program{object}, cl_program{unresolved}})
      REQUIRE(compile(program) == CL_SUCCESS);
    linked = clLinkProgram(context, 0, nullptr, "-create-library", 1, &object, nullptr, nullptr,
                           nullptr);
    REQUIRE((foreign != nullptr && linked != nullptr));
    REQUIRE(build(foreign) == CL_SUCCESS);
    set(shaped, memory);
    set(ids, memory);
  }
};

/// A context of the machine and its part, where a call must say which device it means.
struct BothDevices : Programs {
  cl_device_id both[2] = {device, part};
  Context shared = clCreateContext(nullptr, 2, both, nullptr, nullptr, nullptr);
};

TEST_CASE_FIXTURE(Programs, "refusals: creating programs of text and words") {
  const char *text = "kernel void k() {}", *no_text = nullptr;
  const Arguments of_words{context, words, bytes};
  const Calls calls =
      checked(*this, {
                         CALL(clCreateProgramWithSource, "context count texts lengths", context, 1,
                              &text, nullptr),
                         Call(NAMED(clCreateProgramWithIL), "context words bytes", of_words),
                         Call(NAMED(clCreateProgramWithILKHR), "context words bytes", of_words),
                     });
  calls.refuse_each(CL_INVALID_VALUE, {{"count", 0}, {"texts", {nullptr, &no_text}}});
  calls.refuse(CL_INVALID_VALUE, {{"words", {nullptr, words, "OpCapability Kernel", words}},
                                  {"bytes", {bytes, 0, 19, bytes - 4}}});
}

TEST_CASE_FIXTURE(Programs, "refusals: creating programs of binaries") {
  const auto* binary = reinterpret_cast<const unsigned char*>(words.data());
  const auto* not_a_binary = reinterpret_cast<const unsigned char*>("no binary, but long enough");
  const unsigned char* no_binary = nullptr;
  const std::size_t nothing = 0, short_one = 26;
  const Calls calls{
      CALL(clCreateProgramWithBinary, "context count devices sizes binaries status", context, 1,
           &device, &bytes, &binary, nullptr),
      CALL(clCreateProgramWithBuiltInKernels, "context count devices names", context, 1, &device,
           "k"),
  };
  calls.refuse_by_name(*this);
  calls.refuse(CL_INVALID_VALUE, {{"count", {0, 1}}, {"devices", {&device, nullptr}}});
  calls.refuse(CL_INVALID_DEVICE, {{"devices", bad_lists<cl_device_id>()}});
  calls.refuse(CL_INVALID_DEVICE, {{"devices", &part}});
  calls.refuse_each(CL_INVALID_VALUE,
                    {{"sizes", {nullptr, &nothing}}, {"binaries", {nullptr, &no_binary}}});
  calls.refuse(CL_INVALID_BINARY, {{"sizes", &short_one}, {"binaries", &not_a_binary}});
  calls.refuse(CL_INVALID_VALUE, {{"names", {nullptr, "k"}}});
}

TEST_CASE_FIXTURE(Programs, "refusals: programs") {
  const cl_uint value = 1;
  char byte = 0;
  const Calls calls{
      CALL(clRetainProgram, "program", built_one),
      CALL(clReleaseProgram, "program", built_one),
      CALL(clSetProgramSpecializationConstant, "program id bytes constant", il, 7, 4, &value),
      QUERY(clGetProgramInfo, CL_PROGRAM_CONTEXT, "program", built_one),
      QUERY(clGetProgramBuildInfo, CL_PROGRAM_BUILD_STATUS, "program device", built_one, device),
      CALL(clCreateKernel, "program named", built_one, "all"),
      CALL(clCreateKernelsInProgram, "program room kernels count", object, 0, nullptr, nullptr),
  };
  calls.refuse_by_name(*this);
  calls.refuse(CL_INVALID_PROGRAM, "clSetProgramSpecializationConstant", {{"program", built_one}});
  calls.refuse(CL_INVALID_SPEC_ID, {{"id", 8}});
  calls.refuse_each(CL_INVALID_VALUE, {{"bytes", 8}, {"constant", nullptr}, {"name", 0xffff}});
  calls.refuse(CL_INVALID_VALUE, "clGetProgramInfo",
               {{"size", 1}, {"value", &byte}, {"name", {CL_PROGRAM_SOURCE, CL_PROGRAM_BINARIES}}});
  calls.refuse(CL_INVALID_PROGRAM_EXECUTABLE, "clGetProgramInfo",
               {{"program", unbuilt}, {"name", {CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES}}});
  calls.refuse(CL_INVALID_DEVICE, {{"device", part}});
  calls.refuse(CL_INVALID_PROGRAM_EXECUTABLE, {{"program", {unbuilt, object}}, {"named", "all"}});
  calls.refuse(CL_INVALID_KERNEL_NAME, {{"named", "none"}});
  calls.refuse(CL_INVALID_KERNEL_DEFINITION, {{"named", "refused"}});
  calls.refuse(CL_INVALID_VALUE, {{"named", nullptr}});
  cl_kernel room[1];
  calls.refuse(CL_INVALID_PROGRAM_EXECUTABLE, {{"room", 0}, {"program", unbuilt}});
  calls.refuse(CL_INVALID_VALUE, {{"room", 1}, {"kernels", room}, {"program", built_one}});
  for (const cl_program none : bad<cl_program>())
    REFUSES(clSetProgramReleaseCallback, CL_INVALID_PROGRAM, none, ignore_program, nullptr);
  REFUSES(clSetProgramReleaseCallback, CL_INVALID_VALUE, built_one, nullptr, nullptr);
  REFUSES(clSetProgramReleaseCallback, CL_INVALID_OPERATION, built_one, ignore_program, nullptr);
}

TEST_CASE_FIXTURE(Programs, "refusals: building and compiling") {
  const char *name = "header.h", *no_name = nullptr;
  const Calls calls{
      CALL(clBuildProgram, "program count devices options function user", unbuilt, 0, nullptr, "",
           nullptr, nullptr),
      CALL(clCompileProgram, "program count devices options headers list names function user",
           unbuilt, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
  };
  calls.refuse_by_name(*this);
  calls.refuse(CL_INVALID_PROGRAM,
               {{"headers", 1}, {"list", bad_lists<cl_program>()}, {"names", &name}});
  calls.refuse(CL_INVALID_VALUE, {{"count", {1, 0}}, {"devices", {nullptr, &device}}});
  calls.refuse(CL_INVALID_VALUE, {{"user", data}});
  calls.refuse(CL_INVALID_VALUE, {{"headers", {0, 0, 1, 1, 1}},
                                  {"list", {&wrong, nullptr, nullptr, &wrong, &wrong}},
                                  {"names", {nullptr, &name, &name, nullptr, &no_name}}});
  calls.refuse(CL_INVALID_DEVICE, {{"count", 1}, {"devices", bad_lists<cl_device_id>()}});
  calls.refuse(CL_INVALID_DEVICE, {{"count", 1}, {"devices", &part}});
  calls.refuse(CL_INVALID_BUILD_OPTIONS, "clBuildProgram", {{"options", "-no-such"}});
  calls.refuse(CL_INVALID_COMPILER_OPTIONS, "clCompileProgram", {{"options", "-no-such"}});
  calls.refuse(CL_BUILD_PROGRAM_FAILURE, "clBuildProgram", {{"program", wrong}});
  calls.refuse(CL_COMPILE_PROGRAM_FAILURE, "clCompileProgram", {{"program", wrong}});
  calls.refuse(CL_INVALID_OPERATION, {{"program", {built_one, linked}}});  // the one has kernels
}

TEST_CASE_FIXTURE(Programs, "refusals: linking") {
  const Calls calls =
      checked(*this, {CALL(clLinkProgram, "context count devices options inputs list function user",
                           context, 0, nullptr, "", 1, &object, nullptr, nullptr)});
  calls.refuse(CL_INVALID_PROGRAM, {{"list", bad_lists<cl_program>()}});
  calls.refuse(CL_INVALID_DEVICE, {{"count", 1}, {"devices", bad_lists<cl_device_id>()}});
  calls.refuse(CL_INVALID_DEVICE, {{"count", 1}, {"devices", &part}});
  calls.refuse(CL_INVALID_VALUE, {{"count", {1, 0}}, {"devices", {nullptr, &device}}});
  calls.refuse(CL_INVALID_VALUE, {{"inputs", {0, 0, 1}}, {"list", {nullptr, &object, nullptr}}});
  calls.refuse(CL_INVALID_VALUE, {{"user", data}});
  calls.refuse(CL_INVALID_LINKER_OPTIONS,
               {{"options", {"-no-such", "-enable-link-options", "-DX", "-w"}}});
  calls.refuse(CL_INVALID_OPERATION, {{"list", {&unbuilt, &built_one}}});
  // This one gives a program all the same, which has the log.
  cl_int code = 1000;
  const Program failed =
      driver().clLinkProgram(context, 0, nullptr, "", 1, &unresolved, nullptr, nullptr, &code);
  CHECK((failed != nullptr && code == CL_LINK_PROGRAM_FAILURE));
  note_refusal("clLinkProgram", code);
}

TEST_CASE_FIXTURE(Programs, "refusals: while a program is being built") {
  std::string text = "// " + std::to_string(std::random_device()()) + "\n";  // the cache knows none
  for (int i = 0; i < 200; ++i)
    text +=
        "kernel void k" + std::to_string(i) +
        "(global float8 *a) { for (int i = 0; i < 9; ++i) a[i] = sin(a[i]) + exp(a[i + 1]); }\n";
  const Program program = source(text);
  std::thread builder([&] { CHECK(build(program) == CL_SUCCESS); });
  cl_build_status status = CL_BUILD_NONE;
  while (status == CL_BUILD_NONE)
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                          nullptr);
  REFUSES(clBuildProgram, CL_INVALID_OPERATION, program, 0, nullptr, "", nullptr, nullptr);
  REFUSES(clCompileProgram, CL_INVALID_OPERATION, program, 0, nullptr, "", 0, nullptr, nullptr,
          nullptr, nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_OPERATION, context, 0, nullptr, "", 1, &program,
                  nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateKernel, CL_INVALID_PROGRAM_EXECUTABLE, program, "k0");
  REFUSES(clGetProgramInfo, CL_INVALID_PROGRAM_EXECUTABLE, program, CL_PROGRAM_NUM_KERNELS, 0,
          nullptr, nullptr);
  builder.join();
}

TEST_CASE_FIXTURE(BothDevices, "refusals: kernels") {
  const Calls calls = checked(
      *this,
      {
          CALL(clRetainKernel, "kernel", all),
          CALL(clReleaseKernel, "kernel", all),
          CALL(clCloneKernel, "kernel", all),
          CALL(clSetKernelArg, "kernel index bytes argument", all, 3, 4, data),
          CALL(clSetKernelArgSVMPointer, "kernel index pointer", all, 0, nullptr),
          CALL(clSetKernelExecInfo, "kernel info bytes pointers", all, CL_KERNEL_EXEC_INFO_SVM_PTRS,
               0, nullptr),
          QUERY(clGetKernelInfo, CL_KERNEL_CONTEXT, "kernel", all),
          QUERY(clGetKernelWorkGroupInfo, CL_KERNEL_WORK_GROUP_SIZE, "kernel of_device", all,
                device),
          CALL(clGetKernelSubGroupInfo, "kernel of_device name bytes input size value size_ret",
               all, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 0, nullptr, nullptr),
      });
  const std::size_t eight[] = {8};
  const Calls more{
      CALL(clGetKernelSubGroupInfoKHR, "kernel of_device name bytes input size value size_ret", all,
           device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, 8, eight, 0, nullptr, nullptr),
      QUERY(clGetKernelArgInfo, CL_KERNEL_ARG_NAME, "kernel index", all, 0),
  };
  const Program of_both = clCreateProgramWithIL(this->shared, words.data(), bytes, nullptr);
  REQUIRE(clBuildProgram(of_both, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  const Kernel shared = clCreateKernel(of_both, "k", nullptr);
  more.refuse(CL_INVALID_KERNEL, {{"kernel", bad<cl_kernel>()}});
  for (const Calls& each : {calls, more}) {
    each.refuse(CL_INVALID_KERNEL, {{"kernel", bad<cl_kernel>()}});
    // With several devices, which one is meant must be said.
    each.refuse(CL_INVALID_DEVICE, {{"kernel", {shared, all, all}},
                                    {"of_device", {nullptr, bad<cl_device_id>()[1], part}}});
  }
  calls.refuse(CL_INVALID_VALUE, {{"name", 0xffff}});
  calls.refuse(CL_INVALID_VALUE, "clGetKernelWorkGroupInfo",
               {{"name", CL_KERNEL_GLOBAL_WORK_SIZE}});
  more.refuse(CL_INVALID_VALUE, "clGetKernelSubGroupInfoKHR", {{"name", 0x7777}});
  more.refuse(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "clGetKernelArgInfo", {{"index", 0}});
  more.refuse(CL_INVALID_ARG_INDEX, "clGetKernelArgInfo", {{"index", 5}});
  const Kernel told = kernel(built(kSource, "-cl-kernel-arg-info"), "all");
  const Calls told_calls =
      checked(*this, {QUERY(clGetKernelArgInfo, CL_KERNEL_ARG_NAME, "kernel index", told, 0)});
  told_calls.refuse(CL_INVALID_ARG_INDEX, {{"index", 5}});
}

TEST_CASE_FIXTURE(Programs, "refusals: arguments of kernels") {
  const Kernel sampled = kernel(built_one, "sampled"), wide = kernel(built_one, "wide");
  const cl_mem wrong = bad<cl_mem>()[1];
  const cl_bool yes = CL_TRUE;
  void* pointers[] = {nullptr};
  const Calls calls =
      checked(*this, {
                         CALL(clSetKernelArg, "kernel index size value", all, 3, 4, data),
                         CALL(clSetKernelArgSVMPointer, "kernel index pointer", all, 0, nullptr),
                         CALL(clSetKernelExecInfo, "kernel name bytes list", all,
                              CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers),
                     });
  calls.refuse(CL_INVALID_ARG_INDEX, {{"index", {5, 9}}});
  calls.refuse(CL_INVALID_ARG_VALUE, {{"index", 1}, {"value", data}});  // local memory has no value
  calls.refuse(CL_INVALID_ARG_VALUE, {{"value", nullptr}});             // a number has one
  calls.refuse(CL_INVALID_ARG_VALUE, {{"index", 2}, {"size", 8}, {"value", nullptr}});
  calls.refuse(
      CL_INVALID_MEM_OBJECT,
      {{"index", {0, 4, 0}}, {"size", sizeof wrong}, {"value", {&wrong, &wrong, &foreign_buffer}}});
  calls.refuse(CL_INVALID_SAMPLER,
               {{"kernel", sampled}, {"index", 0}, {"size", sizeof wrong}, {"value", &wrong}});
  calls.refuse(
      CL_INVALID_ARG_SIZE,
      {{"index", {3, 2, 0, 1}}, {"size", {8, 4, 4, 0}}, {"value", {data, data, &memory, nullptr}}});
  calls.refuse(CL_INVALID_ARG_SIZE, {{"kernel", wide}, {"index", 0}, {"size", 12}});
  calls.refuse(CL_INVALID_ARG_VALUE, {{"index", {3, 0}}, {"pointer", {nullptr, data}}});
  calls.refuse_each(CL_INVALID_VALUE, {{"list", nullptr}, {"bytes", {7, 0}}});
  calls.refuse(CL_INVALID_VALUE, {{"name", 0xffff}, {"bytes", sizeof yes}, {"list", &yes}});
  calls.refuse(CL_INVALID_VALUE, {{"name", CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM},
                                  {"bytes", {1, 4}},
                                  {"list", {&yes, nullptr}}});
  calls.refuse(
      CL_INVALID_OPERATION,
      {{"name", CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM}, {"bytes", sizeof yes}, {"list", &yes}});
}

TEST_CASE_FIXTURE(Programs, "refusals: queries of sizes of groups") {
  const std::size_t sizes[] = {8, 8, 8, 8}, none_wanted[] = {0, 1, 1};
  char byte = 0;
  for (const cl_kernel_sub_group_info name :
       {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE}) {
    const Calls calls = checked(
        *this,
        {CALL(clGetKernelSubGroupInfo, "kernel of_device name bytes input size value size_ret", all,
              device, name, 8, sizes, 0, nullptr, nullptr)});
    calls.refuse(CL_INVALID_VALUE, {{"bytes", {8, 0, 12, 32, 24}},
                                    {"input", {nullptr, sizes, sizes, sizes, none_wanted}}});
  }
  const Calls calls = checked(
      *this,
      {CALL(clGetKernelSubGroupInfo, "kernel of_device name bytes input size value size_ret", all,
            device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 8, sizes, 0, nullptr, nullptr)});
  calls.refuse(CL_INVALID_VALUE, {{"bytes", {4, 8, 8}},
                                  {"input", {sizes, nullptr, sizes}},
                                  {"size", {0, 0, 4}},
                                  {"value", {nullptr, nullptr, &byte}}});
}

TEST_CASE_FIXTURE(BothDevices, "refusals: launches") {
  const std::size_t one[] = {1, 1, 1}, most[] = {SIZE_MAX, 2, 1}, eight[] = {8, 2, 1},
                    high[] = {8, 3, 1};
  const std::size_t zero[] = {0, 1, 1}, uneven[] = {3, 1, 1}, too_long[] = {8192, 1, 1},
                    too_many[] = {128, 64, 1};
  const std::size_t large[] = {8192, 64, 1};
  std::size_t size = 0;
  const Calls calls =
      checked(*this, {
                         CALL(clEnqueueNDRangeKernel, "queue kernel dimensions offset global local",
                              queue, ids, 1, nullptr, one, nullptr),
                         CALL(clGetKernelSuggestedLocalWorkSizeKHR,
                              "queue kernel dimensions offset global suggested", queue, ids, 1,
                              nullptr, one, &size),
                         CALL(clEnqueueTask, "queue kernel", queue, ids),
                     });
  calls.refuse(CL_INVALID_CONTEXT, {{"kernel", kernel(foreign, "k")}});
  calls.refuse(CL_INVALID_KERNEL_ARGS, {{"kernel", all}});
  // A program for one of two devices, on the other's queue.
  const auto* binary = reinterpret_cast<const unsigned char*>(words.data());
  const Program of_one =
      clCreateProgramWithBinary(shared, 1, &part, &bytes, &binary, nullptr, nullptr);
  const Kernel narrow = kernel(of_one, "k");
  const Queue wide = make_queue(shared);
  calls.refuse(CL_INVALID_PROGRAM_EXECUTABLE, {{"queue", wide}, {"kernel", narrow}});

  calls.refuse(CL_INVALID_WORK_DIMENSION, {{"dimensions", {0, 4}}});
  calls.refuse(CL_INVALID_GLOBAL_WORK_SIZE, {{"dimensions", 2}, {"global", most}});
  calls.refuse(CL_INVALID_GLOBAL_WORK_SIZE, "clGetKernelSuggestedLocalWorkSizeKHR",
               {{"global", nullptr}});
  calls.refuse(CL_INVALID_GLOBAL_OFFSET, {{"offset", most}});
  calls.refuse(CL_INVALID_VALUE, {{"suggested", nullptr}});
  calls.refuse(CL_INVALID_WORK_GROUP_SIZE, {{"kernel", shaped},
                                            {"dimensions", {2, 1, 2, 2, 1}},
                                            {"global", {eight, eight, one, high, eight}},
                                            {"local", {one, eight, nullptr, nullptr, nullptr}}});
  calls.refuse(CL_INVALID_WORK_GROUP_SIZE, {{"dimensions", {1, 1, 2}},
                                            {"global", {eight, eight, large}},
                                            {"local", {uneven, zero, too_many}}});
  calls.refuse(CL_INVALID_WORK_ITEM_SIZE, {{"global", large}, {"local", too_long}});
  calls.refuse(CL_INVALID_WORK_GROUP_SIZE, "clEnqueueTask", {{"kernel", shaped}});
  struct {
    int a, b;
  } pair{1, 2};
  set(all, memory, Local{1u << 30}, pair, 4, nullptr);
  calls.refuse(CL_OUT_OF_RESOURCES, "clEnqueueNDRangeKernel clEnqueueTask", {{"kernel", all}});
}

}  // namespace
}  // namespace transpire::test::refusals_programs_tests
