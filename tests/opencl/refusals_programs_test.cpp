// Bad arguments of functions on programs and kernels. OpenCL 2.2 API, sections 5.8 to 5.10.
#include <random>
#include <string>
#include <thread>

#include "tests/opencl/host.h"
#include "tests/opencl/refusals.h"

namespace transpire::test {
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
kernel void refused(global int *a) { a[0] = rabbits(a[0]); }
)";

void CL_CALLBACK ignore_program(cl_program, void*) {}

/// Programs in all states, and kernels.
struct Programs : Setup {
  cl_device_id part = nullptr;  ///< a device of none of the contexts
  cl_program source = make(kSource), unbuilt = make(kSource), wrong = make("kernel void k( {");
  cl_program object = make("int f() { return 1; }\n");
  cl_program unresolved = make("int g();\nkernel void k(global int *a) { a[0] = g(); }\n");
  cl_program il = nullptr, linked = nullptr, foreign = nullptr;
  cl_kernel all = nullptr, shaped = nullptr, ids = nullptr;
  cl_mem buffer = clCreateBuffer(context, 0, 4096, nullptr, nullptr);
  char data[64] = {};
  void* const user_data = const_cast<char*>(data);

  Programs() {
    const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    REQUIRE(clCreateSubDevices(device, one, 1, &part, nullptr) == CL_SUCCESS);
    REQUIRE(build(source) == CL_SUCCESS);
    for (const cl_program program : {object, unresolved})
      REQUIRE(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) ==
              CL_SUCCESS);
    linked = clLinkProgram(context, 0, nullptr, "-create-library", 1, &object, nullptr, nullptr,
                           nullptr);
    const std::vector<std::uint32_t> words = specialisable_module();
    il = clCreateProgramWithIL(context, words.data(), words.size() * 4, nullptr);
    foreign = clCreateProgramWithIL(other_context, words.data(), words.size() * 4, nullptr);
    REQUIRE((il != nullptr && foreign != nullptr && linked != nullptr));
    REQUIRE(build(foreign) == CL_SUCCESS);
    all = clCreateKernel(source, "all", nullptr);
    shaped = clCreateKernel(source, "shaped", nullptr);
    ids = clCreateKernel(source, "ids", nullptr);
    clSetKernelArg(shaped, 0, sizeof buffer, &buffer);
    clSetKernelArg(ids, 0, sizeof buffer, &buffer);
  }
  ~Programs() {
    for (const cl_kernel kernel : {all, shaped, ids}) clReleaseKernel(kernel);
    for (const cl_program program :
         {source, unbuilt, wrong, object, unresolved, il, linked, foreign})
      clReleaseProgram(program);
    clReleaseMemObject(buffer);
    clReleaseDevice(part);
  }
  cl_program make(const char* text) const {
    return clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  }
  static cl_int build(cl_program program) {
    return clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  }
};

}  // namespace

TEST_CASE("refusals: creating programs of text and words") {
  const Programs setup;
  const cl_context context = setup.context;
  const char* text = "kernel void k() {}";
  const char* no_text = nullptr;
  const std::vector<std::uint32_t> words = specialisable_module();
  const std::size_t bytes = words.size() * 4;
  for (const cl_context none : bad<cl_context>()) {
    REFUSES_TO_MAKE(clCreateProgramWithSource, CL_INVALID_CONTEXT, none, 1, &text, nullptr);
    REFUSES_TO_MAKE(clCreateProgramWithIL, CL_INVALID_CONTEXT, none, words.data(), bytes);
    REFUSES_TO_MAKE(clCreateProgramWithILKHR, CL_INVALID_CONTEXT, none, words.data(), bytes);
  }
  REFUSES_TO_MAKE(clCreateProgramWithSource, CL_INVALID_VALUE, context, 0, &text, nullptr);
  REFUSES_TO_MAKE(clCreateProgramWithSource, CL_INVALID_VALUE, context, 1, nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateProgramWithSource, CL_INVALID_VALUE, context, 1, &no_text, nullptr);
  REFUSES_TO_MAKE(clCreateProgramWithIL, CL_INVALID_VALUE, context, nullptr, bytes);
  REFUSES_TO_MAKE(clCreateProgramWithIL, CL_INVALID_VALUE, context, words.data(), 0);
  REFUSES_TO_MAKE(clCreateProgramWithIL, CL_INVALID_VALUE, context, "OpCapability Kernel", 19);
  REFUSES_TO_MAKE(clCreateProgramWithIL, CL_INVALID_VALUE, context, words.data(), bytes - 4);
  REFUSES_TO_MAKE(clCreateProgramWithILKHR, CL_INVALID_VALUE, context, nullptr, bytes);
  REFUSES_TO_MAKE(clCreateProgramWithILKHR, CL_INVALID_VALUE, context, words.data(), 0);
  REFUSES_TO_MAKE(clCreateProgramWithILKHR, CL_INVALID_VALUE, context, "OpCapability Kernel", 19);
  REFUSES_TO_MAKE(clCreateProgramWithILKHR, CL_INVALID_VALUE, context, words.data(), bytes - 4);
  const cl_program made = driver().clCreateProgramWithILKHR(context, words.data(), bytes, nullptr);
  CHECK(made != nullptr);
  clReleaseProgram(made);
}

TEST_CASE("refusals: creating programs of binaries") {
  const Programs setup;
  const cl_context context = setup.context;
  const std::vector<std::uint32_t> words = specialisable_module();
  const std::size_t bytes = words.size() * 4;
  const auto* binary = reinterpret_cast<const unsigned char*>(words.data());
  const unsigned char* no_binary = nullptr;
  const auto* not_a_binary = reinterpret_cast<const unsigned char*>("no binary, but long enough");
  const std::size_t nothing = 0;
  const cl_device_id* const one = &setup.device;
  for (const cl_context none : bad<cl_context>()) {
    REFUSES_TO_MAKE(clCreateProgramWithBinary, CL_INVALID_CONTEXT, none, 1, one, &bytes, &binary,
                    nullptr);
    REFUSES_TO_MAKE(clCreateProgramWithBuiltInKernels, CL_INVALID_CONTEXT, none, 1, one, "k");
  }
  REFUSES_TO_MAKE(clCreateProgramWithBinary, CL_INVALID_VALUE, context, 0, one, &bytes, &binary,
                  nullptr);
  REFUSES_TO_MAKE(clCreateProgramWithBinary, CL_INVALID_VALUE, context, 1, nullptr, &bytes, &binary,
                  nullptr);
  REFUSES_TO_MAKE(clCreateProgramWithBinary, CL_INVALID_VALUE, context, 1, one, nullptr, &binary,
                  nullptr);
  REFUSES_TO_MAKE(clCreateProgramWithBinary, CL_INVALID_VALUE, context, 1, one, &bytes, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clCreateProgramWithBinary, CL_INVALID_VALUE, context, 1, one, &nothing, &binary,
                  nullptr);
  REFUSES_TO_MAKE(clCreateProgramWithBinary, CL_INVALID_VALUE, context, 1, one, &bytes, &no_binary,
                  nullptr);
  const std::size_t short_one = 26;
  REFUSES_TO_MAKE(clCreateProgramWithBinary, CL_INVALID_BINARY, context, 1, one, &short_one,
                  &not_a_binary, nullptr);
  for (const cl_device_id none : bad<cl_device_id>()) {
    REFUSES_TO_MAKE(clCreateProgramWithBinary, CL_INVALID_DEVICE, context, 1, &none, &bytes,
                    &binary, nullptr);
    REFUSES_TO_MAKE(clCreateProgramWithBuiltInKernels, CL_INVALID_DEVICE, context, 1, &none, "k");
  }
  REFUSES_TO_MAKE(clCreateProgramWithBinary, CL_INVALID_DEVICE, context, 1, &setup.part, &bytes,
                  &binary, nullptr);
  REFUSES_TO_MAKE(clCreateProgramWithBuiltInKernels, CL_INVALID_DEVICE, context, 1, &setup.part,
                  "k");
  REFUSES_TO_MAKE(clCreateProgramWithBuiltInKernels, CL_INVALID_VALUE, context, 0, one, "k");
  REFUSES_TO_MAKE(clCreateProgramWithBuiltInKernels, CL_INVALID_VALUE, context, 1, nullptr, "k");
  REFUSES_TO_MAKE(clCreateProgramWithBuiltInKernels, CL_INVALID_VALUE, context, 1, one, nullptr);
  REFUSES_TO_MAKE(clCreateProgramWithBuiltInKernels, CL_INVALID_VALUE, context, 1, one, "k");
}

TEST_CASE("refusals: programs") {
  const Programs setup;
  const cl_uint value = 1;
  for (const cl_program none : bad<cl_program>()) {
    REFUSES(clRetainProgram, CL_INVALID_PROGRAM, none);
    REFUSES(clReleaseProgram, CL_INVALID_PROGRAM, none);
    REFUSES(clSetProgramReleaseCallback, CL_INVALID_PROGRAM, none, ignore_program, nullptr);
    REFUSES(clSetProgramSpecializationConstant, CL_INVALID_PROGRAM, none, 7, 4, &value);
    REFUSES(clGetProgramInfo, CL_INVALID_PROGRAM, none, CL_PROGRAM_CONTEXT, 0, nullptr, nullptr);
    REFUSES(clGetProgramBuildInfo, CL_INVALID_PROGRAM, none, setup.device, CL_PROGRAM_BUILD_LOG, 0,
            nullptr, nullptr);
    REFUSES_TO_MAKE(clCreateKernel, CL_INVALID_PROGRAM, none, "all");
    REFUSES(clCreateKernelsInProgram, CL_INVALID_PROGRAM, none, 0, nullptr, nullptr);
  }
  REFUSES(clSetProgramReleaseCallback, CL_INVALID_VALUE, setup.source, nullptr, nullptr);
  REFUSES(clSetProgramReleaseCallback, CL_INVALID_OPERATION, setup.source, ignore_program, nullptr);
  REFUSES(clSetProgramSpecializationConstant, CL_INVALID_PROGRAM, setup.source, 7, 4, &value);
  REFUSES(clSetProgramSpecializationConstant, CL_INVALID_SPEC_ID, setup.il, 8, 4, &value);
  REFUSES(clSetProgramSpecializationConstant, CL_INVALID_VALUE, setup.il, 7, 8, &value);
  REFUSES(clSetProgramSpecializationConstant, CL_INVALID_VALUE, setup.il, 7, 4, nullptr);
  char byte = 0;
  REFUSES(clGetProgramInfo, CL_INVALID_VALUE, setup.source, 0x7777, 0, nullptr, nullptr);
  REFUSES(clGetProgramInfo, CL_INVALID_VALUE, setup.source, CL_PROGRAM_CONTEXT, 1, &byte, nullptr);
  REFUSES(clGetProgramInfo, CL_INVALID_PROGRAM_EXECUTABLE, setup.unbuilt, CL_PROGRAM_NUM_KERNELS, 0,
          nullptr, nullptr);
  REFUSES(clGetProgramInfo, CL_INVALID_PROGRAM_EXECUTABLE, setup.unbuilt, CL_PROGRAM_KERNEL_NAMES,
          0, nullptr, nullptr);
  for (const cl_device_id none : bad<cl_device_id>())
    REFUSES(clGetProgramBuildInfo, CL_INVALID_DEVICE, setup.source, none, CL_PROGRAM_BUILD_LOG, 0,
            nullptr, nullptr);
  REFUSES(clGetProgramBuildInfo, CL_INVALID_DEVICE, setup.source, setup.part, CL_PROGRAM_BUILD_LOG,
          0, nullptr, nullptr);
  REFUSES(clGetProgramBuildInfo, CL_INVALID_VALUE, setup.source, setup.device, 0x7777, 0, nullptr,
          nullptr);
  REFUSES(clGetProgramBuildInfo, CL_INVALID_VALUE, setup.source, setup.device,
          CL_PROGRAM_BUILD_STATUS, 1, &byte, nullptr);
}

TEST_CASE("refusals: building") {
  const Programs setup;
  const cl_program unbuilt = setup.unbuilt;
  const cl_device_id* const one = &setup.device;
  void* const user_data = setup.user_data;
  for (const cl_program none : bad<cl_program>())
    REFUSES(clBuildProgram, CL_INVALID_PROGRAM, none, 0, nullptr, "", nullptr, nullptr);
  REFUSES(clBuildProgram, CL_INVALID_VALUE, unbuilt, 1, nullptr, "", nullptr, nullptr);
  REFUSES(clBuildProgram, CL_INVALID_VALUE, unbuilt, 0, one, "", nullptr, nullptr);
  REFUSES(clBuildProgram, CL_INVALID_VALUE, unbuilt, 0, nullptr, "", nullptr, user_data);
  for (const cl_device_id none : bad<cl_device_id>())
    REFUSES(clBuildProgram, CL_INVALID_DEVICE, unbuilt, 1, &none, "", nullptr, nullptr);
  REFUSES(clBuildProgram, CL_INVALID_DEVICE, unbuilt, 1, &setup.part, "", nullptr, nullptr);
  REFUSES(clBuildProgram, CL_INVALID_BUILD_OPTIONS, unbuilt, 0, nullptr, "-no-such", nullptr,
          nullptr);
  REFUSES(clBuildProgram, CL_BUILD_PROGRAM_FAILURE, setup.wrong, 0, nullptr, "", nullptr, nullptr);
  REFUSES(clBuildProgram, CL_INVALID_OPERATION, setup.source, 0, nullptr, "", nullptr,
          nullptr);  // has kernels
  REFUSES(clBuildProgram, CL_INVALID_OPERATION, setup.linked, 0, nullptr, "", nullptr, nullptr);
}

TEST_CASE("refusals: compiling") {
  const Programs setup;
  const cl_program unbuilt = setup.unbuilt;
  const cl_device_id* const one = &setup.device;
  const char* name = "header.h";
  const char* no_name = nullptr;
  for (const cl_program none : bad<cl_program>()) {
    REFUSES(clCompileProgram, CL_INVALID_PROGRAM, none, 0, nullptr, "", 0, nullptr, nullptr,
            nullptr, nullptr);
    REFUSES(clCompileProgram, CL_INVALID_PROGRAM, unbuilt, 0, nullptr, "", 1, &none, &name, nullptr,
            nullptr);
  }
  REFUSES(clCompileProgram, CL_INVALID_VALUE, unbuilt, 1, nullptr, "", 0, nullptr, nullptr, nullptr,
          nullptr);
  REFUSES(clCompileProgram, CL_INVALID_VALUE, unbuilt, 0, one, "", 0, nullptr, nullptr, nullptr,
          nullptr);
  REFUSES(clCompileProgram, CL_INVALID_VALUE, unbuilt, 0, nullptr, "", 0, &setup.wrong, nullptr,
          nullptr, nullptr);
  REFUSES(clCompileProgram, CL_INVALID_VALUE, unbuilt, 0, nullptr, "", 0, nullptr, &name, nullptr,
          nullptr);
  REFUSES(clCompileProgram, CL_INVALID_VALUE, unbuilt, 0, nullptr, "", 1, nullptr, &name, nullptr,
          nullptr);
  REFUSES(clCompileProgram, CL_INVALID_VALUE, unbuilt, 0, nullptr, "", 1, &setup.wrong, nullptr,
          nullptr, nullptr);
  REFUSES(clCompileProgram, CL_INVALID_VALUE, unbuilt, 0, nullptr, "", 1, &setup.wrong, &no_name,
          nullptr, nullptr);
  REFUSES(clCompileProgram, CL_INVALID_VALUE, unbuilt, 0, nullptr, "", 0, nullptr, nullptr, nullptr,
          setup.user_data);
  for (const cl_device_id none : bad<cl_device_id>()) {
    REFUSES(clCompileProgram, CL_INVALID_DEVICE, unbuilt, 1, &none, "", 0, nullptr, nullptr,
            nullptr, nullptr);
  }
  REFUSES(clCompileProgram, CL_INVALID_DEVICE, unbuilt, 1, &setup.part, "", 0, nullptr, nullptr,
          nullptr, nullptr);
  REFUSES(clCompileProgram, CL_INVALID_COMPILER_OPTIONS, unbuilt, 0, nullptr, "-no-such", 0,
          nullptr, nullptr, nullptr, nullptr);
  REFUSES(clCompileProgram, CL_COMPILE_PROGRAM_FAILURE, setup.wrong, 0, nullptr, "", 0, nullptr,
          nullptr, nullptr, nullptr);
  REFUSES(clCompileProgram, CL_INVALID_OPERATION, setup.source, 0, nullptr, "", 0, nullptr, nullptr,
          nullptr, nullptr);
  REFUSES(clCompileProgram, CL_INVALID_OPERATION, setup.linked, 0, nullptr, "", 0, nullptr, nullptr,
          nullptr, nullptr);
}

TEST_CASE("refusals: linking") {
  const Programs setup;
  const cl_context context = setup.context;
  const cl_device_id* const one = &setup.device;
  for (const cl_program none : bad<cl_program>()) {
    REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_PROGRAM, context, 0, nullptr, "", 1, &none, nullptr,
                    nullptr);
  }
  for (const cl_device_id none : bad<cl_device_id>()) {
    REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_DEVICE, context, 1, &none, "", 1, &setup.object,
                    nullptr, nullptr);
  }
  for (const cl_context none : bad<cl_context>())
    REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_CONTEXT, none, 0, nullptr, "", 1, &setup.object,
                    nullptr, nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_VALUE, context, 1, nullptr, "", 1, &setup.object,
                  nullptr, nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_VALUE, context, 0, one, "", 1, &setup.object, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_VALUE, context, 0, nullptr, "", 0, nullptr, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_VALUE, context, 0, nullptr, "", 0, &setup.object,
                  nullptr, nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_VALUE, context, 0, nullptr, "", 1, nullptr, nullptr,
                  nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_VALUE, context, 0, nullptr, "", 1, &setup.object,
                  nullptr, setup.user_data);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_DEVICE, context, 1, &setup.part, "", 1, &setup.object,
                  nullptr, nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_LINKER_OPTIONS, context, 0, nullptr, "-no-such", 1,
                  &setup.object, nullptr, nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_OPERATION, context, 0, nullptr, "", 1, &setup.unbuilt,
                  nullptr, nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_OPERATION, context, 0, nullptr, "", 1, &setup.source,
                  nullptr, nullptr);
  // This one gives a program all the same, which has the log.
  cl_program failed = nullptr;
  REFUSES_YET_MAKES(clLinkProgram, CL_LINK_PROGRAM_FAILURE, failed, context, 0, nullptr, "", 1,
                    &setup.unresolved, nullptr, nullptr);
  clReleaseProgram(failed);
}

TEST_CASE("refusals: while a program is being built") {
  const Programs setup;
  std::string text = "// " + std::to_string(std::random_device()()) + "\n";  // the cache knows none
  for (int i = 0; i < 200; ++i)
    text +=
        "kernel void k" + std::to_string(i) +
        "(global float8 *a) { for (int i = 0; i < 9; ++i) a[i] = sin(a[i]) + exp(a[i + 1]); }\n";
  const cl_program program = setup.make(text.c_str());
  std::thread builder([&] { CHECK(Programs::build(program) == CL_SUCCESS); });
  cl_build_status status = CL_BUILD_NONE;
  while (status == CL_BUILD_NONE)
    clGetProgramBuildInfo(program, setup.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                          nullptr);
  REFUSES(clBuildProgram, CL_INVALID_OPERATION, program, 0, nullptr, "", nullptr, nullptr);
  REFUSES(clCompileProgram, CL_INVALID_OPERATION, program, 0, nullptr, "", 0, nullptr, nullptr,
          nullptr, nullptr);
  REFUSES_TO_MAKE(clLinkProgram, CL_INVALID_OPERATION, setup.context, 0, nullptr, "", 1, &program,
                  nullptr, nullptr);
  REFUSES_TO_MAKE(clCreateKernel, CL_INVALID_PROGRAM_EXECUTABLE, program, "k0");
  REFUSES(clGetProgramInfo, CL_INVALID_PROGRAM_EXECUTABLE, program, CL_PROGRAM_NUM_KERNELS, 0,
          nullptr, nullptr);
  builder.join();
  clReleaseProgram(program);
}

TEST_CASE("refusals: kernels") {
  const Programs setup;
  for (const cl_kernel none : bad<cl_kernel>()) {
    REFUSES(clRetainKernel, CL_INVALID_KERNEL, none);
    REFUSES(clReleaseKernel, CL_INVALID_KERNEL, none);
    REFUSES_TO_MAKE(clCloneKernel, CL_INVALID_KERNEL, none);
    REFUSES(clSetKernelArg, CL_INVALID_KERNEL, none, 0, 4, setup.data);
    REFUSES(clSetKernelArgSVMPointer, CL_INVALID_KERNEL, none, 0, nullptr);
    REFUSES(clSetKernelExecInfo, CL_INVALID_KERNEL, none, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr);
    REFUSES(clGetKernelInfo, CL_INVALID_KERNEL, none, CL_KERNEL_CONTEXT, 0, nullptr, nullptr);
    REFUSES(clGetKernelArgInfo, CL_INVALID_KERNEL, none, 0, CL_KERNEL_ARG_NAME, 0, nullptr,
            nullptr);
    REFUSES(clGetKernelWorkGroupInfo, CL_INVALID_KERNEL, none, setup.device,
            CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr);
    REFUSES(clGetKernelSubGroupInfo, CL_INVALID_KERNEL, none, setup.device,
            CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 0, nullptr, nullptr);
    REFUSES(clGetKernelSubGroupInfoKHR, CL_INVALID_KERNEL, none, setup.device,
            CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, 0, nullptr, 0, nullptr, nullptr);
  }
  REFUSES_TO_MAKE(clCreateKernel, CL_INVALID_PROGRAM_EXECUTABLE, setup.unbuilt, "all");
  REFUSES_TO_MAKE(clCreateKernel, CL_INVALID_PROGRAM_EXECUTABLE, setup.object, "all");
  REFUSES_TO_MAKE(clCreateKernel, CL_INVALID_KERNEL_NAME, setup.source, "none");
  REFUSES_TO_MAKE(clCreateKernel, CL_INVALID_KERNEL_DEFINITION, setup.source, "refused");
  REFUSES_TO_MAKE(clCreateKernel, CL_INVALID_VALUE, setup.source, nullptr);
  cl_kernel room[1];
  REFUSES(clCreateKernelsInProgram, CL_INVALID_PROGRAM_EXECUTABLE, setup.unbuilt, 0, nullptr,
          nullptr);
  REFUSES(clCreateKernelsInProgram, CL_INVALID_VALUE, setup.source, 1, room, nullptr);
}

TEST_CASE("refusals: arguments of kernels") {
  const Programs setup;
  const cl_kernel all = setup.all;
  const cl_mem* const buffer = &setup.buffer;
  const cl_mem wrong = bad<cl_mem>()[1];
  const void* const data = setup.data;
  REFUSES(clSetKernelArg, CL_INVALID_ARG_INDEX, all, 5, 4, data);
  REFUSES(clSetKernelArg, CL_INVALID_ARG_VALUE, all, 1, 4, data);     // local memory has no value
  REFUSES(clSetKernelArg, CL_INVALID_ARG_VALUE, all, 3, 4, nullptr);  // a number has one
  REFUSES(clSetKernelArg, CL_INVALID_ARG_VALUE, all, 2, 8, nullptr);
  REFUSES(clSetKernelArg, CL_INVALID_MEM_OBJECT, all, 0, sizeof wrong, &wrong);
  REFUSES(clSetKernelArg, CL_INVALID_MEM_OBJECT, all, 4, sizeof wrong, &wrong);
  REFUSES(clSetKernelArg, CL_INVALID_MEM_OBJECT, all, 0, sizeof wrong, &setup.foreign_buffer);
  REFUSES(clSetKernelArg, CL_INVALID_ARG_SIZE, all, 3, 8, data);
  REFUSES(clSetKernelArg, CL_INVALID_ARG_SIZE, all, 2, 4, data);
  REFUSES(clSetKernelArg, CL_INVALID_ARG_SIZE, all, 0, 4, buffer);
  REFUSES(clSetKernelArg, CL_INVALID_ARG_SIZE, all, 1, 0, nullptr);
  const cl_kernel sampled = clCreateKernel(setup.source, "sampled", nullptr);
  REFUSES(clSetKernelArg, CL_INVALID_SAMPLER, sampled, 0, sizeof wrong, &wrong);
  clReleaseKernel(sampled);
  REFUSES(clSetKernelArgSVMPointer, CL_INVALID_ARG_INDEX, all, 5, nullptr);
  REFUSES(clSetKernelArgSVMPointer, CL_INVALID_ARG_VALUE, all, 3, nullptr);
  REFUSES(clSetKernelArgSVMPointer, CL_INVALID_ARG_VALUE, all, 0, data);
  const cl_bool yes = CL_TRUE;
  void* pointers[] = {nullptr};
  REFUSES(clSetKernelExecInfo, CL_INVALID_VALUE, all, 0x7777, sizeof yes, &yes);
  REFUSES(clSetKernelExecInfo, CL_INVALID_VALUE, all, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, nullptr);
  REFUSES(clSetKernelExecInfo, CL_INVALID_VALUE, all, CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, pointers);
  REFUSES(clSetKernelExecInfo, CL_INVALID_VALUE, all, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1,
          &yes);
  REFUSES(clSetKernelExecInfo, CL_INVALID_VALUE, all, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4,
          nullptr);
  REFUSES(clSetKernelExecInfo, CL_INVALID_OPERATION, all, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
          sizeof yes, &yes);
}

TEST_CASE("refusals: queries of kernels") {
  const Programs setup;
  const cl_kernel all = setup.all;
  char byte = 0;
  REFUSES(clGetKernelInfo, CL_INVALID_VALUE, all, 0x7777, 0, nullptr, nullptr);
  REFUSES(clGetKernelInfo, CL_INVALID_VALUE, all, CL_KERNEL_CONTEXT, 1, &byte, nullptr);
  REFUSES(clGetKernelArgInfo, CL_KERNEL_ARG_INFO_NOT_AVAILABLE, all, 0, CL_KERNEL_ARG_NAME, 0,
          nullptr, nullptr);
  const cl_program told = setup.make(kSource);
  REQUIRE(clBuildProgram(told, 0, nullptr, "-cl-kernel-arg-info", nullptr, nullptr) == CL_SUCCESS);
  const cl_kernel kernel = clCreateKernel(told, "all", nullptr);
  REFUSES(clGetKernelArgInfo, CL_INVALID_ARG_INDEX, kernel, 5, CL_KERNEL_ARG_NAME, 0, nullptr,
          nullptr);
  REFUSES(clGetKernelArgInfo, CL_INVALID_VALUE, kernel, 0, 0x7777, 0, nullptr, nullptr);
  REFUSES(clGetKernelArgInfo, CL_INVALID_VALUE, kernel, 0, CL_KERNEL_ARG_NAME, 1, &byte, nullptr);
  clReleaseKernel(kernel);
  clReleaseProgram(told);

  // With several devices, which one is meant must be said.
  const cl_device_id both[] = {setup.device, setup.part};
  const cl_context context = clCreateContext(nullptr, 2, both, nullptr, nullptr, nullptr);
  const std::vector<std::uint32_t> words = specialisable_module();
  const cl_program of_both =
      clCreateProgramWithIL(context, words.data(), words.size() * 4, nullptr);
  REQUIRE(Programs::build(of_both) == CL_SUCCESS);
  const cl_kernel shared = clCreateKernel(of_both, "k", nullptr);
  const cl_device_id wrong = bad<cl_device_id>()[1];
  for (const auto& [k, d] : {std::pair{shared, cl_device_id{}}, {all, wrong}, {all, setup.part}}) {
    REFUSES(clGetKernelWorkGroupInfo, CL_INVALID_DEVICE, k, d, CL_KERNEL_WORK_GROUP_SIZE, 0,
            nullptr, nullptr);
    REFUSES(clGetKernelSubGroupInfo, CL_INVALID_DEVICE, k, d, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0,
            nullptr, 0, nullptr, nullptr);
    REFUSES(clGetKernelSubGroupInfoKHR, CL_INVALID_DEVICE, k, d,
            CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, 0, nullptr, 0, nullptr, nullptr);
  }
  clReleaseKernel(shared);
  clReleaseProgram(of_both);
  clReleaseContext(context);
}

TEST_CASE("refusals: queries of sizes of groups") {
  const Programs setup;
  const cl_kernel all = setup.all;
  char byte = 0;
  const cl_device_id d = setup.device;
  REFUSES(clGetKernelWorkGroupInfo, CL_INVALID_VALUE, all, d, 0x7777, 0, nullptr, nullptr);
  REFUSES(clGetKernelWorkGroupInfo, CL_INVALID_VALUE, all, d, CL_KERNEL_WORK_GROUP_SIZE, 1, &byte,
          nullptr);
  REFUSES(clGetKernelWorkGroupInfo, CL_INVALID_VALUE, all, d, CL_KERNEL_GLOBAL_WORK_SIZE, 0,
          nullptr, nullptr);
  const std::size_t sizes[] = {8, 8, 8, 8}, none_wanted[] = {0, 1, 1};
  REFUSES(clGetKernelSubGroupInfo, CL_INVALID_VALUE, all, d, 0x7777, 0, nullptr, 0, nullptr,
          nullptr);
  REFUSES(clGetKernelSubGroupInfo, CL_INVALID_VALUE, all, d, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0,
          nullptr, 1, &byte, nullptr);
  for (const cl_kernel_sub_group_info name :
       {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE}) {
    REFUSES(clGetKernelSubGroupInfo, CL_INVALID_VALUE, all, d, name, 8, nullptr, 0, nullptr,
            nullptr);
    REFUSES(clGetKernelSubGroupInfo, CL_INVALID_VALUE, all, d, name, 0, sizes, 0, nullptr, nullptr);
    REFUSES(clGetKernelSubGroupInfo, CL_INVALID_VALUE, all, d, name, 12, sizes, 0, nullptr,
            nullptr);
    REFUSES(clGetKernelSubGroupInfo, CL_INVALID_VALUE, all, d, name, 32, sizes, 0, nullptr,
            nullptr);
    REFUSES(clGetKernelSubGroupInfo, CL_INVALID_VALUE, all, d, name, 24, none_wanted, 0, nullptr,
            nullptr);
  }
  REFUSES(clGetKernelSubGroupInfo, CL_INVALID_VALUE, all, d,
          CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 4, sizes, 0, nullptr, nullptr);
  REFUSES(clGetKernelSubGroupInfo, CL_INVALID_VALUE, all, d,
          CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 8, nullptr, 0, nullptr, nullptr);
  REFUSES(clGetKernelSubGroupInfo, CL_INVALID_VALUE, all, d,
          CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 8, sizes, 4, &byte, nullptr);
  REFUSES(clGetKernelSubGroupInfoKHR, CL_INVALID_VALUE, all, d, 0x7777, 0, nullptr, 0, nullptr,
          nullptr);
}

TEST_CASE("refusals: launches of no queue, kernel, context or executable") {
  const Programs setup;
  const cl_command_queue q = setup.queue;
  const cl_kernel ids = setup.ids;
  const std::size_t one[] = {1, 1, 1};
  std::size_t size = 0;
  for (const cl_command_queue none : no_host_queues(setup)) {
    REFUSES(clEnqueueNDRangeKernel, CL_INVALID_COMMAND_QUEUE, none, ids, 1, nullptr, one, nullptr,
            0, nullptr, nullptr);
    REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_COMMAND_QUEUE, none, ids, 1, nullptr,
            one, &size);
    REFUSES(clEnqueueTask, CL_INVALID_COMMAND_QUEUE, none, ids, 0, nullptr, nullptr);
  }
  for (const cl_kernel none : bad<cl_kernel>()) {
    REFUSES(clEnqueueNDRangeKernel, CL_INVALID_KERNEL, q, none, 1, nullptr, one, nullptr, 0,
            nullptr, nullptr);
    REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_KERNEL, q, none, 1, nullptr, one,
            &size);
    REFUSES(clEnqueueTask, CL_INVALID_KERNEL, q, none, 0, nullptr, nullptr);
  }
  const cl_kernel foreign = clCreateKernel(setup.foreign, "k", nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_CONTEXT, q, foreign, 1, nullptr, one, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_CONTEXT, q, foreign, 1, nullptr, one,
          &size);
  REFUSES(clEnqueueTask, CL_INVALID_CONTEXT, q, foreign, 0, nullptr, nullptr);
  clReleaseKernel(foreign);

  // A program for one of two devices, on the other's queue.
  const cl_device_id both[] = {setup.device, setup.part};
  const cl_context context = clCreateContext(nullptr, 2, both, nullptr, nullptr, nullptr);
  const std::vector<std::uint32_t> words = specialisable_module();
  const std::size_t bytes = words.size() * 4;
  const auto* binary = reinterpret_cast<const unsigned char*>(words.data());
  const cl_program of_one =
      clCreateProgramWithBinary(context, 1, &both[1], &bytes, &binary, nullptr, nullptr);
  const cl_kernel narrow = clCreateKernel(of_one, "k", nullptr);
  const cl_command_queue wide =
      clCreateCommandQueueWithProperties(context, both[0], nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_PROGRAM_EXECUTABLE, wide, narrow, 1, nullptr, one,
          nullptr, 0, nullptr, nullptr);
  REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_PROGRAM_EXECUTABLE, wide, narrow, 1,
          nullptr, one, &size);
  REFUSES(clEnqueueTask, CL_INVALID_PROGRAM_EXECUTABLE, wide, narrow, 0, nullptr, nullptr);
  clReleaseCommandQueue(wide);
  clReleaseKernel(narrow);
  clReleaseProgram(of_one);
  clReleaseContext(context);
}

TEST_CASE("refusals: sizes of launches") {
  const Programs setup;
  const cl_command_queue q = setup.queue;
  const cl_kernel ids = setup.ids;
  const std::size_t one[] = {1, 1, 1}, most[] = {SIZE_MAX, 2, 1};
  std::size_t size = 0;
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_KERNEL_ARGS, q, setup.all, 1, nullptr, one, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueTask, CL_INVALID_KERNEL_ARGS, q, setup.all, 0, nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_WORK_DIMENSION, q, ids, 0, nullptr, one, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_WORK_DIMENSION, q, ids, 4, nullptr, one, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_GLOBAL_WORK_SIZE, q, ids, 2, nullptr, most, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_GLOBAL_OFFSET, q, ids, 1, most, one, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_KERNEL_ARGS, q, setup.all, 1, nullptr,
          one, &size);
  REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_WORK_DIMENSION, q, ids, 0, nullptr, one,
          &size);
  REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_WORK_DIMENSION, q, ids, 4, nullptr, one,
          &size);
  REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_GLOBAL_WORK_SIZE, q, ids, 2, nullptr,
          most, &size);
  REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_GLOBAL_WORK_SIZE, q, ids, 1, nullptr,
          nullptr, &size);
  REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_GLOBAL_OFFSET, q, ids, 1, most, one,
          &size);
  REFUSES(clGetKernelSuggestedLocalWorkSizeKHR, CL_INVALID_VALUE, q, ids, 1, nullptr, one, nullptr);
}

TEST_CASE("refusals: sizes of groups, arguments and waits of launches") {
  const Programs setup;
  const cl_command_queue q = setup.queue;
  const cl_kernel ids = setup.ids, shaped = setup.shaped;
  using Size = std::size_t;
  const Size one[] = {1, 1, 1}, eight[] = {8, 2, 1};
  const Size zero[] = {0, 1, 1}, uneven[] = {3, 1, 1}, too_long[] = {8192, 1, 1},
             too_many[] = {128, 64, 1};
  const Size large[] = {8192, 64, 1};
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_WORK_GROUP_SIZE, q, shaped, 2, nullptr, eight, one, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_WORK_GROUP_SIZE, q, shaped, 1, nullptr, eight, eight,
          0, nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_WORK_GROUP_SIZE, q, shaped, 2, nullptr, one, nullptr,
          0, nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_WORK_GROUP_SIZE, q, ids, 1, nullptr, eight, uneven, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_WORK_GROUP_SIZE, q, ids, 1, nullptr, eight, zero, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_WORK_GROUP_SIZE, q, ids, 2, nullptr, large, too_many,
          0, nullptr, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_WORK_ITEM_SIZE, q, ids, 1, nullptr, large, too_long, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueTask, CL_INVALID_WORK_GROUP_SIZE, q, shaped, 0, nullptr, nullptr);
  clSetKernelArg(setup.all, 0, sizeof setup.buffer, &setup.buffer);
  clSetKernelArg(setup.all, 1, 1u << 30, nullptr);
  clSetKernelArg(setup.all, 2, 8, setup.data);
  clSetKernelArg(setup.all, 3, 4, setup.data);
  clSetKernelArg(setup.all, 4, sizeof setup.buffer, nullptr);
  REFUSES(clEnqueueNDRangeKernel, CL_OUT_OF_RESOURCES, q, setup.all, 1, nullptr, one, nullptr, 0,
          nullptr, nullptr);
  REFUSES(clEnqueueTask, CL_OUT_OF_RESOURCES, q, setup.all, 0, nullptr, nullptr);
  REFUSES_WAITS(clEnqueueNDRangeKernel, q, ids, 1, nullptr, one, nullptr);
  REFUSES_WAITS(clEnqueueTask, q, ids);
}

}  // namespace transpire::test
