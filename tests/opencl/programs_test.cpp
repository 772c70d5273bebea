// Programs: their origins, building, compiling, linking, options, logs and binaries. Bad arguments:
// refusals_programs_test.cpp.
#include <algorithm>

#include "tests/opencl/support.h"

namespace transpire::test::programs_tests {
namespace {

constexpr const char* kAdd = "kernel void k(global int *a) { a[0] += VALUE; }\n";

/// `error` is that of the link; with CL_LINK_PROGRAM_FAILURE there is a program, too, which has the log.
Program link(const Host& host, const std::vector<cl_program>& inputs, cl_int error = CL_SUCCESS,
             const char* options = "") {
  cl_int code = 1000;
  Program made =
      clLinkProgram(host.context, 0, nullptr, options, static_cast<cl_uint>(inputs.size()),
                    inputs.data(), nullptr, nullptr, &code);
  CHECK(code == error);
  REQUIRE(made != nullptr);
  return made;
}

bool says(const std::string& log, const std::string& text) {
  return log.find(text) != std::string::npos;
}

cl_int kernel_error(cl_program program, const char* name) {
  return error_of([&](cl_int* error) { return clCreateKernel(program, name, error); });
}

TEST_CASE_FIXTURE(Host, "source in several strings, with and without lengths") {
  const char* strings[] = {"kernel void k(global int *a) { a[0] = 4XXX", "2; }"};
  const std::size_t lengths[] = {std::strlen(strings[0]) - 3, 0};
  const Program program = clCreateProgramWithSource(context, 2, strings, lengths, nullptr);
  CHECK(text_info(clGetProgramInfo, program, CL_PROGRAM_SOURCE) ==
        "kernel void k(global int *a) { a[0] = 42; }");
  REQUIRE(build(program) == CL_SUCCESS);
  Kernel kernel = this->kernel(program, "k");
  CHECK(first_int(kernel) == 42);
  CHECK(build(program) == CL_INVALID_OPERATION);  // a kernel is attached
  kernel.drop();
  CHECK(build(program) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Host, "build options") {
  for (const char* options :
       {"-D VALUE=41", "-DVALUE=41 -cl-opt-disable -w",
        "-D \"VALUE=40 + 1\" -cl-std=CL3.0 -cl-kernel-arg-info -Werror", "-g -DVALUE=41",
        "-cl-std=CL1.0 -DVALUE=41", "-cl-std=CL1.1 -D VALUE=41",
        "  -cl-fast-relaxed-math -cl-mad-enable -cl-denorms-are-zero "
        "-cl-no-signed-zeros -cl-finite-math-only -cl-unsafe-math-optimizations "
        "-cl-single-precision-constant -cl-strict-aliasing -cl-std=CL2.0 "
        "-cl-fp32-correctly-rounded-divide-sqrt -cl-uniform-work-group-size "
        "-cl-no-subgroup-ifp -DVALUE=41"}) {
    CAPTURE(std::string(options));
    CHECK(first_int(built(kAdd, options), 1) == 42);
  }
  const Program program = source(kAdd);
  for (const char* wrong : {"-unknown", "file.cl", "-D", "-I", "-cl-std=CL9.0",
                            "-cl-std=", "-D'A=1", "-o x", "-create-library", "-Xclang -load", "-MD",
                            "-save-temps", "@file", "-emit-llvm", "-O2", "-Wall"}) {
    CAPTURE(std::string(wrong));
    CHECK(build(program, wrong) == CL_INVALID_BUILD_OPTIONS);
    CHECK(compile(program, wrong) == CL_INVALID_COMPILER_OPTIONS);
  }
  CHECK(build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_NONE);
}

TEST_CASE_FIXTURE(Host, "build: callbacks") {
  Program program = source("kernel void k() {}");
  int called = 0;
  const auto notify = [](cl_program, void* count) { ++*static_cast<int*>(count); };
  CHECK(clBuildProgram(program, 0, nullptr, nullptr, notify, &called) == CL_SUCCESS);
  CHECK(called == 1);
  CHECK(clSetProgramReleaseCallback(program, notify, &called) == CL_INVALID_OPERATION);
  program.drop();
  CHECK(called == 1);
}

TEST_CASE_FIXTURE(Host, "the log names the user's lines") {
  const Program program = source("kernel void k(global int *a) {\n  a[0] = b;\n}\n");
  CHECK(build(program) == CL_BUILD_PROGRAM_FAILURE);
  const std::string refused = log(program);
  const std::size_t number = std::string("<source ").size();
  CHECK(refused.starts_with("<source "));
  CHECK(refused.find_first_not_of("0123456789", number) ==
        refused.find(">:2:10: error: use of undeclared identifier 'b'"));
  CHECK(build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_ERROR);
  CHECK(binary_type(program) == CL_PROGRAM_BINARY_TYPE_NONE);
  CHECK(kernel_error(program, "k") == CL_INVALID_PROGRAM_EXECUTABLE);

  // Twice: the second log comes from the cache where there is one.
  for (int i = 0; i < 2; ++i)
    CHECK(
        says(log(built("#warning look here\nkernel void k() {}\n")), ">:1:2: warning: look here"));
}

TEST_CASE_FIXTURE(Host, "macros and extensions are those that the device announces") {
  built(
      "#if !defined cl_khr_fp64 || !defined cl_khr_fp16 || "
      "!defined cl_khr_int64_base_atomics || !defined __IMAGE_SUPPORT__ || "
      "!defined cl_khr_subgroups || __OPENCL_C_VERSION__ != 120 || "
      "__OPENCL_VERSION__ != 300\n"
      "#error wrong\n#endif\n");
  built(
      "#if !defined __opencl_c_fp64 || !defined __opencl_c_generic_address_space || "
      "!defined __opencl_c_atomic_order_seq_cst || !defined __opencl_c_int64 || "
      "!defined __opencl_c_atomic_scope_all_devices || !defined __opencl_c_atomic_order_acq_rel || "
      "!defined __opencl_c_program_scope_global_variables || !defined __opencl_c_subgroups || "
      "!defined __opencl_c_work_group_collective_functions || "
      "!defined __opencl_c_ext_fp32_global_atomic_add || "
      "!defined __opencl_c_images || !defined __opencl_c_3d_image_writes || "
      "!defined __opencl_c_read_write_images || !defined __opencl_c_atomic_scope_device || "
      "!defined __opencl_c_pipes || !defined __opencl_c_device_enqueue\n"
      "#error missing\n#endif\n"
      "#if !defined cl_khr_subgroups || defined __opencl_c_ext_fp16_global_atomic_add || "
      "__OPENCL_C_VERSION__ != 300\n"
      "#error too many\n#endif\n"
      "kernel void k(global uint *a) { a[0] = bitfield_insert(a[0], a[1], 3, 4); }\n",
      "-cl-std=CL3.0");
}

TEST_CASE_FIXTURE(Host, "compiling with headers, linking, libraries") {
  const Program header = source("int twice(int x);\n");
  const Program library_source =
      source("#include \"math/twice.h\"\nint twice(int x) { return 2 * x; }\n");
  const Program main_source =
      source("#include <math/twice.h>\nkernel void k(global int *a) { a[0] = twice(a[0]); }\n");
  REQUIRE(compile(library_source, "", {header}, {"math/twice.h"}) == CL_SUCCESS);
  REQUIRE(compile(main_source, "", {header}, {"math/twice.h"}) == CL_SUCCESS);
  CHECK(binary_type(main_source) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  CHECK(kernel_error(main_source, "k") == CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK(says(log(link(*this, {main_source}, CL_LINK_PROGRAM_FAILURE)), "twice"));

  const Program library =
      link(*this, {library_source}, CL_SUCCESS, "-create-library -enable-link-options");
  CHECK(binary_type(library) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
  // Objects and libraries keep their kind in a binary.
  const Program library_again = from_binary(binary(library));
  const Program main_again = from_binary(binary(main_source));
  CHECK(binary_type(library_again) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
  const Program executable = link(*this, {main_again, library_again});
  const Kernel kernel = this->kernel(executable, "k");
  CHECK(first_int(kernel, 21) == 42);
  CHECK(text_info(clGetKernelArgInfo, kernel, cl_uint{0}, CL_KERNEL_ARG_TYPE_NAME) == "int*");
  CHECK(build(executable) == CL_INVALID_OPERATION);
  link(*this, {library_source, library_source}, CL_LINK_PROGRAM_FAILURE);  // ambiguous
}

TEST_CASE_FIXTURE(Host, "headers do not lead out of their folder") {
  const Program program = source("kernel void k() {}"), header = source("");
  CHECK(compile(program, "", {header}, {"../x.h"}) == CL_COMPILE_PROGRAM_FAILURE);
}

TEST_CASE_FIXTURE(Host, "launches on their way do not keep a program from being built again") {
  Program program = built(kAdd, "-DVALUE=1");
  Kernel kernel = this->kernel(program, "k");
  const Memory buffer = buffer_of<cl_int>({40});
  set(kernel, buffer);
  const Event start = clCreateUserEvent(context, nullptr);
  REQUIRE(test::enqueue(queue, kernel, {1}, {}, {start}) == CL_SUCCESS);
  CHECK(build(program, "-DVALUE=2") == CL_INVALID_OPERATION);
  kernel.drop();
  CHECK(build(program, "-DVALUE=2") == CL_SUCCESS);
  program.drop();
  REQUIRE(clSetUserEventStatus(start, CL_COMPLETE) == CL_SUCCESS);
  CHECK(read<cl_int>(buffer, 1)[0] == 41);
}

TEST_CASE_FIXTURE(Host, "programs from SPIR-V, specialisation constants") {
  const std::vector<std::uint32_t> module = specialisable_module();
  const Program program = from_il(module);
  const auto run = [&] {
    REQUIRE(build(program) == CL_SUCCESS);
    return first_int(program);
  };
  CHECK(run() == 42);
  const cl_uint value = 77;
  REQUIRE(clSetProgramSpecializationConstant(program, 7, 4, &value) == CL_SUCCESS);
  CHECK(run() == 77);
  // The value is part of what is linked from it, and of its binary.
  REQUIRE(compile(program) == CL_SUCCESS);
  CHECK(first_int(link(*this, {program})) == 77);
  CHECK(list_info<std::uint32_t>(clGetProgramInfo, program, CL_PROGRAM_IL) == module);
  CHECK(list_info<char>(clGetProgramInfo, source("kernel void k() {}"), CL_PROGRAM_IL).empty());
}

TEST_CASE_FIXTURE(Host, "SPIR-V that does not decode: the context is told") {
  std::vector<std::uint32_t> module = specialisable_module();
  module[6] = 0xffff;
  const auto error = [&](const void* words, std::size_t bytes) {
    return error_of(
        [&](cl_int* code) { return clCreateProgramWithIL(context, words, bytes, code); });
  };
  CHECK(error("OpCapability Kernel", 19) == CL_INVALID_VALUE);
  CHECK(error(module.data(), module.size() * 4 - 4) == CL_INVALID_VALUE);
  REQUIRE(notes.size() == 2);
  CHECK(says(notes[1], "TSP-D"));
}

TEST_CASE_FIXTURE(Host,
                  "what the VM refuses is a warning of the build and an error of the kernel") {
  const Program program = built(
      "kernel void good(global int *a) { a[0] = 42; }\n"
      "int rabbits(int n) { return n < 2 ? n : rabbits(n - 1) + rabbits(n - 2); }\n"
      "kernel void bad(global int *a) { a[0] = rabbits(a[0]); }\n");
  CHECK(says(log(program), "warning[TSP-U0005]: the function 'rabbits' calls itself"));
  CHECK(kernel_error(program, "bad") == CL_INVALID_KERNEL_DEFINITION);
  REQUIRE(notes.size() == 1);
  CHECK(says(notes[0], "error[TSP-U0005]"));
  Kernel good;
  cl_uint count = 0;
  CHECK(clCreateKernelsInProgram(program, 1, &good, &count) == CL_SUCCESS);
  CHECK(count == 1);
  CHECK(first_int(good) == 42);
  // By its name, and in what else such a program can be made of.
  const std::vector<unsigned char> binary = this->binary(program);
  const Program of_binary = from_binary(binary), of_il = from_il(binary);
  REQUIRE(build(of_il) == CL_SUCCESS);
  for (const cl_program each : std::vector<cl_program>{program, of_binary, of_il}) {
    CHECK(first_int(kernel(each, "good")) == 42);
    CHECK(kernel_error(each, "bad") == CL_INVALID_KERNEL_DEFINITION);
  }
}

TEST_CASE_FIXTURE(Host, "a build fails where nothing defines what a kernel uses, and names it") {
  const char* const kUses =
      "int twice(int x);\nextern constant int table[2];\n"
      "kernel void good(global int *a) { a[0] = 42; }\n"
      "kernel void k(global int *a) { a[0] = twice(a[0]) + table[1]; }\n";
  const char* const kDefines =
      "int twice(int x) { return 2 * x; }\nconstant int table[2] = {7, 2};\n";
  for (const char* const options : {"", "-cl-opt-disable"}) {
    CAPTURE(std::string(options));
    const Program uses = source(kUses), defines = source(kDefines);
    CHECK(build(uses, options) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(build_info<cl_build_status>(uses, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_ERROR);
    CHECK(says(log(uses), "error[TSP-U0006]: nothing defines the function 'twice'"));
    CHECK(says(log(uses), "error[TSP-U0008]: nothing defines the variable 'table'"));
    CHECK(kernel_error(uses, "good") == CL_INVALID_PROGRAM_EXECUTABLE);

    // Compiled, it is a part of a whole program.
    REQUIRE(compile(uses, options) == CL_SUCCESS);
    REQUIRE(compile(defines, options) == CL_SUCCESS);
    link(*this, {uses}, CL_LINK_PROGRAM_FAILURE);
    CHECK(first_int(link(*this, {uses, defines}), 20) == 42);

    // A binary of the object lacks the same.
    const Program of_binary = from_binary(binary(uses));
    CHECK(build(of_binary) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(says(log(of_binary), "'twice'"));
  }
}

TEST_CASE_FIXTURE(Host, "declarations that nothing uses do not keep a program from being built") {
  CHECK(first_int(built("int twice(int x);\nextern constant int table[2];\nextern int other;\n"
                        "kernel void k(global int *a) { a[0] = 42; }\n",
                        "-cl-std=CL2.0 -cl-opt-disable")) == 42);
}

TEST_CASE_FIXTURE(Host, "program queries") {
  const Program program =
      source("kernel void a() {} global int g[3]; kernel void b() { g[0] = 1; }");
  REQUIRE(build(program, "-cl-std=CL2.0") == CL_SUCCESS);
  CHECK(text_info(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES) == "a;b");
  CHECK(info<std::size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS) == 2);
  CHECK(build_info<std::size_t>(program, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE) == 12);
  CHECK(text_info(clGetProgramBuildInfo, program, device, CL_PROGRAM_BUILD_OPTIONS) ==
        "-cl-std=CL2.0");
}

TEST_CASE_FIXTURE(Host, "cl_khr_expect_assume: in sources, and in SPIR-V") {
  const std::string source = R"(
#ifndef cl_khr_expect_assume
#error not announced
#endif
kernel void k(global int *a) {
  int x = a[0];
  __builtin_assume(x >= 0);
  a[0] = __builtin_expect(x == 3, 0) ? 7 : 9;
})";
  for (const char* options : {"", "-cl-opt-disable", "-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    CAPTURE(std::string(options));
    const Program program = built(source, options);
    CHECK(first_int(program, 3) == 7);
    CHECK(first_int(program, 4) == 9);
  }

  std::vector<std::uint32_t> module = specialisable_module();
  // OpCapability ExpectAssumeKHR, OpExtension
  std::vector<std::uint32_t> extension{0x0002'0011, 5629, 0x0007'000a, 0, 0, 0, 0, 0, 0};
  std::memcpy(&extension[3], "SPV_KHR_expect_assume", 22);
  const std::vector<std::uint32_t> truth{0x0002'0014, 6, 0x0003'0029, 6, 7};  // %7 true
  const std::vector<std::uint32_t> both{0x0002'15fe, 7, 0x0005'15ff, 1, 13, 5, 5};
  const auto insert = [&](std::uint32_t before, const std::vector<std::uint32_t>& words) {
    const auto at = std::find(module.begin() + 5, module.end(), before);
    REQUIRE(at != module.end());
    module.insert(at, words.begin(), words.end());
  };
  insert(0x0003'000e, extension);  // before OpMemoryModel
  insert(0x0005'0036, truth);      // before OpFunction
  insert(0x0005'003e, both);       // before OpStore
  *(std::find(module.begin() + 5, module.end(), 0x0005'003e) + 2) = 13;
  const Program program = from_il(module);
  REQUIRE(build(program) == CL_SUCCESS);
  CHECK(first_int(program) == 42);
}

TEST_CASE_FIXTURE(Host, "a required work-group size that no launch can have is told of") {
  const Program program = built(
      "kernel __attribute__((reqd_work_group_size(64, 65, 1))) void large() {}\n"
      "kernel __attribute__((reqd_work_group_size(64, 64, 1))) void fits() {}\n");
  CHECK(
      log(program).starts_with("warning: kernel 'large' cannot be launched: its work-groups must "
                               "have 64 x 65 x 1 work-items, the device's have 4096 at most"));
  CHECK(!says(log(program), "fits"));
  CHECK(enqueue(kernel(program, "large"), {64, 65}, {64, 65}) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(enqueue(kernel(program, "fits"), {64, 64}, {64, 64}) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Host, "macros of doubles: of each version its own") {
  for (const std::string options : {"", "-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    CAPTURE(options);
    const Program program = built(
        "#ifndef cl_khr_fp64\n#error extension\n#endif\n"
        "#ifdef __opencl_c_fp64\n#define N 1\n#else\n#define N 0\n#endif\n"
        "kernel void k(global int *a) { double d = 1.0; a[0] = (int)d * N; }\n",
        options.c_str());
    CHECK(first_int(program, 7) == (options == "-cl-std=CL3.0" ? 1 : 0));
  }
}

}  // namespace
}  // namespace transpire::test::programs_tests
