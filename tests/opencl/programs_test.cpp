// Programs: their origins, building, compiling, linking, options, logs and binaries.
#include <algorithm>

#include "tests/opencl/host.h"

namespace transpire::test {
namespace {

constexpr const char* kAdd = "kernel void add(global int *a) { a[0] += VALUE; }\n";

/// What a program of `VALUE` adds when it is built with these options.
cl_int added(const Host& host, const char* options) {
  cl_program program = host.built(kAdd, options);
  cl_kernel kernel = host.kernel(program, "add");
  const cl_int result = host.first_int(kernel, 1);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return result;
}

cl_program link(const Host& host, const std::vector<cl_program>& inputs, cl_int* code,
                const char* options = "") {
  return clLinkProgram(host.context, 0, nullptr, options, static_cast<cl_uint>(inputs.size()),
                       inputs.data(), nullptr, nullptr, code);
}

}  // namespace

TEST_CASE("programs from source: bad arguments") {
  Host host;
  const char* text = "kernel void k() {}";
  const char* nothing = nullptr;
  cl_int code = 0;
  CHECK(clCreateProgramWithSource(nullptr, 1, &text, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  CHECK(clCreateProgramWithSource(host.context, 0, &text, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clCreateProgramWithSource(host.context, 1, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clCreateProgramWithSource(host.context, 1, &nothing, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clCreateProgramWithBuiltInKernels(host.context, 1, &host.device, "k", &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clRetainProgram(nullptr) == CL_INVALID_PROGRAM);
  CHECK(clReleaseProgram(reinterpret_cast<cl_program>(host.context)) == CL_INVALID_PROGRAM);
  CHECK(clBuildProgram(nullptr, 0, nullptr, "", nullptr, nullptr) == CL_INVALID_PROGRAM);
}

TEST_CASE("source in several strings, with and without lengths") {
  Host host;
  const char* strings[] = {"kernel void k(global int *a) { a[0] = 4XXX", "2; }"};
  const std::size_t lengths[] = {std::strlen(strings[0]) - 3, 0};
  cl_int code = 0;
  cl_program program = clCreateProgramWithSource(host.context, 2, strings, lengths, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(program_text(program, CL_PROGRAM_SOURCE) == "kernel void k(global int *a) { a[0] = 42; }");
  REQUIRE(host.build(program) == CL_SUCCESS);
  cl_kernel kernel = host.kernel(program, "k");
  CHECK(host.first_int(kernel) == 42);
  CHECK(host.build(program) == CL_INVALID_OPERATION);  // a kernel is attached
  clReleaseKernel(kernel);
  CHECK(host.build(program) == CL_SUCCESS);
  clReleaseProgram(program);
}

TEST_CASE("build options") {
  Host host;
  CHECK(added(host, "-D VALUE=41") == 42);
  CHECK(added(host, "-DVALUE=41 -cl-opt-disable -w") == 42);
  CHECK(added(host, "-D \"VALUE=40 + 1\" -cl-std=CL3.0 -cl-kernel-arg-info -Werror") == 42);
  CHECK(added(host, "-g -DVALUE=41") == 42);
  CHECK(added(host, "-cl-std=CL1.0 -DVALUE=41") == 42);
  CHECK(added(host, "-cl-std=CL1.1 -D VALUE=41") == 42);
  CHECK(added(host,
              "  -cl-fast-relaxed-math -cl-mad-enable -cl-denorms-are-zero "
              "-cl-no-signed-zeros -cl-finite-math-only -cl-unsafe-math-optimizations "
              "-cl-single-precision-constant -cl-strict-aliasing -cl-std=CL2.0 "
              "-cl-fp32-correctly-rounded-divide-sqrt -cl-uniform-work-group-size "
              "-cl-no-subgroup-ifp -DVALUE=1") == 2);
  cl_program program = host.source(kAdd);
  for (const char* wrong : {"-unknown", "file.cl", "-D", "-I", "-cl-std=CL9.0",
                            "-cl-std=", "-D'A=1", "-o x", "-create-library", "-Xclang -load", "-MD",
                            "-save-temps", "@file", "-emit-llvm", "-O2", "-Wall"}) {
    CAPTURE(wrong);
    CHECK(host.build(program, wrong) == CL_INVALID_BUILD_OPTIONS);
    CHECK(compile(program, wrong) == CL_INVALID_COMPILER_OPTIONS);
  }
  CHECK(host.build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_NONE);
  clReleaseProgram(program);
}

TEST_CASE("build: devices and callbacks") {
  Host host;
  cl_program program = host.source("kernel void k() {}");
  int called = 0;
  const auto notify = [](cl_program, void* count) { ++*static_cast<int*>(count); };
  CHECK(clBuildProgram(program, 0, nullptr, nullptr, notify, &called) == CL_SUCCESS);
  CHECK(called == 1);
  CHECK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, &called) == CL_INVALID_VALUE);
  CHECK(clBuildProgram(program, 1, nullptr, nullptr, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clBuildProgram(program, 0, &host.device, nullptr, nullptr, nullptr) == CL_INVALID_VALUE);
  cl_device_id wrong = reinterpret_cast<cl_device_id>(host.context);
  CHECK(clBuildProgram(program, 1, &wrong, nullptr, nullptr, nullptr) == CL_INVALID_DEVICE);
  CHECK(clSetProgramReleaseCallback(program, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetProgramReleaseCallback(program, notify, &called) == CL_INVALID_OPERATION);
  clReleaseProgram(program);
  CHECK(called == 1);
}

TEST_CASE("the log names the user's lines") {
  Host host;
  cl_program program = host.source("kernel void k(global int *a) {\n  a[0] = b;\n}\n");
  CHECK(host.build(program) == CL_BUILD_PROGRAM_FAILURE);
  const std::string refused = host.log(program);
  const std::size_t number = std::string("<source ").size();
  CHECK(refused.starts_with("<source "));
  CHECK(refused.find_first_not_of("0123456789", number) ==
        refused.find(">:2:10: error: use of undeclared identifier 'b'"));
  CHECK(host.build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_ERROR);
  CHECK(host.build_info<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE) ==
        CL_PROGRAM_BINARY_TYPE_NONE);
  cl_int code = 0;
  CHECK(clCreateKernel(program, "k", &code) == nullptr);
  CHECK(code == CL_INVALID_PROGRAM_EXECUTABLE);
  clReleaseProgram(program);

  // Twice: the second log comes from the cache where there is one.
  for (int i = 0; i < 2; ++i) {
    program = host.built("#warning look here\nkernel void k() {}\n");
    CHECK(host.log(program).find(">:1:2: warning: look here") != std::string::npos);
    clReleaseProgram(program);
  }
}

TEST_CASE("macros and extensions are those that the device announces") {
  Host host;
  clReleaseProgram(
      host.built("#if !defined cl_khr_fp64 || !defined cl_khr_fp16 || "
                 "!defined cl_khr_int64_base_atomics || !defined __IMAGE_SUPPORT__ || "
                 "!defined cl_khr_subgroups || __OPENCL_C_VERSION__ != 120 || "
                 "__OPENCL_VERSION__ != 300\n"
                 "#error wrong\n#endif\n"));
  clReleaseProgram(host.built(
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
      "-cl-std=CL3.0"));
}

TEST_CASE("compiling with headers, linking, libraries") {
  Host host;
  cl_program header = host.source("int twice(int x);\n");
  cl_program library_source =
      host.source("#include \"math/twice.h\"\nint twice(int x) { return 2 * x; }\n");
  cl_program main_source = host.source(
      "#include <math/twice.h>\nkernel void k(global int *a) { a[0] = twice(a[0]); }\n");
  REQUIRE(compile(library_source, "", {header}, {"math/twice.h"}) == CL_SUCCESS);
  REQUIRE(compile(main_source, "", {header}, {"math/twice.h"}) == CL_SUCCESS);
  CHECK(host.build_info<cl_program_binary_type>(main_source, CL_PROGRAM_BINARY_TYPE) ==
        CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);

  cl_int code = 0;
  CHECK(clCreateKernel(main_source, "k", &code) == nullptr);
  CHECK(code == CL_INVALID_PROGRAM_EXECUTABLE);
  cl_program failed = link(host, {main_source}, &code);
  CHECK(code == CL_LINK_PROGRAM_FAILURE);
  REQUIRE(failed != nullptr);
  CHECK(host.log(failed).find("twice") != std::string::npos);
  clReleaseProgram(failed);

  cl_program library = link(host, {library_source}, &code, "-create-library -enable-link-options");
  REQUIRE(code == CL_SUCCESS);
  CHECK(host.build_info<cl_program_binary_type>(library, CL_PROGRAM_BINARY_TYPE) ==
        CL_PROGRAM_BINARY_TYPE_LIBRARY);
  // Objects and libraries keep their kind in a binary.
  cl_program library_again = host.from_binary(host.binary(library), &code);
  REQUIRE(code == CL_SUCCESS);
  cl_program main_again = host.from_binary(host.binary(main_source), &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(host.build_info<cl_program_binary_type>(library_again, CL_PROGRAM_BINARY_TYPE) ==
        CL_PROGRAM_BINARY_TYPE_LIBRARY);
  cl_program executable = link(host, {main_again, library_again}, &code);
  REQUIRE(code == CL_SUCCESS);
  cl_kernel kernel = host.kernel(executable, "k");
  CHECK(host.first_int(kernel, 21) == 42);
  CHECK(text_of([&](std::size_t size, void* value, std::size_t* size_ret) {
          return clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, size, value, size_ret);
        }) == "int*");
  CHECK(host.build(executable) == CL_INVALID_OPERATION);
  cl_program ambiguous = link(host, {library_source, library_source}, &code);
  CHECK(code == CL_LINK_PROGRAM_FAILURE);
  clReleaseKernel(kernel);
  for (cl_program p : {header, library_source, main_source, library, library_again, main_again,
                       executable, ambiguous})
    clReleaseProgram(p);
}

TEST_CASE("compiling and linking: bad arguments") {
  Host host;
  cl_program program = host.source("kernel void k() {}");
  cl_program header = host.source("");
  const char* name = "x.h";
  CHECK(clCompileProgram(program, 0, nullptr, "", 1, nullptr, &name, nullptr, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(clCompileProgram(program, 0, nullptr, "", 0, &header, nullptr, nullptr, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(clCompileProgram(program, 0, nullptr, "", 1, &header, nullptr, nullptr, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(clCompileProgram(nullptr, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) ==
        CL_INVALID_PROGRAM);
  CHECK(compile(program, "", {header}, {"../x.h"}) == CL_COMPILE_PROGRAM_FAILURE);
  cl_int code = 0;
  CHECK(link(host, {program}, &code) == nullptr);  // not compiled
  CHECK(code == CL_INVALID_OPERATION);
  REQUIRE(compile(program) == CL_SUCCESS);
  for (const char* wrong : {"-enable-link-options", "-DX", "-w", "-unknown"}) {
    CAPTURE(wrong);
    CHECK(link(host, {program}, &code, wrong) == nullptr);
    CHECK(code == CL_INVALID_LINKER_OPTIONS);
  }
  CHECK(clLinkProgram(host.context, 0, nullptr, "", 0, nullptr, nullptr, nullptr, &code) ==
        nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clLinkProgram(nullptr, 0, nullptr, "", 1, &program, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  cl_program none = nullptr;
  CHECK(clLinkProgram(host.context, 0, nullptr, "", 1, &none, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_PROGRAM);
  clReleaseProgram(program);
  clReleaseProgram(header);
}

TEST_CASE("launches on their way do not keep a program from being built again") {
  Host host;
  cl_program program = host.built(kAdd, "-DVALUE=1");
  cl_kernel kernel = host.kernel(program, "add");
  cl_int value = 40;
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, nullptr);
  REQUIRE(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  cl_event start = clCreateUserEvent(host.context, nullptr);
  const std::size_t one = 1;
  REQUIRE(clEnqueueNDRangeKernel(host.queue, kernel, 1, nullptr, &one, nullptr, 1, &start,
                                 nullptr) == CL_SUCCESS);
  CHECK(host.build(program, "-DVALUE=2") == CL_INVALID_OPERATION);
  clReleaseKernel(kernel);
  CHECK(host.build(program, "-DVALUE=2") == CL_SUCCESS);
  clReleaseProgram(program);
  REQUIRE(clSetUserEventStatus(start, CL_COMPLETE) == CL_SUCCESS);
  CHECK(clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr,
                            nullptr) == CL_SUCCESS);
  CHECK(value == 41);
  clReleaseEvent(start);
  clReleaseMemObject(buffer);
}

TEST_CASE("programs from SPIR-V, specialisation constants") {
  Host host;
  const std::vector<std::uint32_t> module = specialisable_module();
  const std::size_t bytes = module.size() * 4;
  cl_int code = 0;
  cl_program program = clCreateProgramWithIL(host.context, module.data(), bytes, &code);
  INFO((host.notes.empty() ? std::string() : host.notes[0]));
  REQUIRE(code == CL_SUCCESS);
  const auto run = [&] {
    REQUIRE(host.build(program) == CL_SUCCESS);
    cl_kernel kernel = host.kernel(program, "k");
    const cl_int result = host.first_int(kernel);
    clReleaseKernel(kernel);
    return result;
  };
  CHECK(run() == 42);
  const cl_uint value = 77;
  CHECK(clSetProgramSpecializationConstant(program, 8, 4, &value) == CL_INVALID_SPEC_ID);
  CHECK(clSetProgramSpecializationConstant(program, 7, 8, &value) == CL_INVALID_VALUE);
  CHECK(clSetProgramSpecializationConstant(program, 7, 4, nullptr) == CL_INVALID_VALUE);
  REQUIRE(clSetProgramSpecializationConstant(program, 7, 4, &value) == CL_SUCCESS);
  CHECK(run() == 77);
  // The value is part of what is linked from it, and of its binary.
  REQUIRE(compile(program) == CL_SUCCESS);
  cl_program linked = link(host, {program}, &code);
  REQUIRE(code == CL_SUCCESS);
  cl_kernel kernel = host.kernel(linked, "k");
  CHECK(host.first_int(kernel) == 77);
  clReleaseKernel(kernel);
  std::size_t size = 0;
  CHECK(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &size) == CL_SUCCESS);
  CHECK(size == bytes);
  clReleaseProgram(linked);
  clReleaseProgram(program);

  program = host.source("kernel void k() {}");
  CHECK(clSetProgramSpecializationConstant(program, 7, 4, &value) == CL_INVALID_PROGRAM);
  CHECK(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &size) == CL_SUCCESS);
  CHECK(size == 0);
  clReleaseProgram(program);
}

TEST_CASE("SPIR-V that does not decode") {
  Host host;
  std::vector<std::uint32_t> module = specialisable_module();
  cl_int code = 0;
  CHECK(clCreateProgramWithIL(nullptr, module.data(), 4, &code) == nullptr);
  CHECK(code == CL_INVALID_CONTEXT);
  CHECK(clCreateProgramWithIL(host.context, nullptr, 4, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clCreateProgramWithIL(host.context, module.data(), 0, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clCreateProgramWithIL(host.context, "OpCapability Kernel", 19, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  module[6] = 0xffff;
  CHECK(clCreateProgramWithIL(host.context, module.data(), module.size() * 4 - 4, &code) ==
        nullptr);
  CHECK(code == CL_INVALID_VALUE);
  REQUIRE(host.notes.size() == 2);  // bytes that are no SPIR-V are told of as well
  CHECK(host.notes[1].find("TSP-D") != std::string::npos);
}

TEST_CASE("what the VM refuses is a warning of the build and an error of the kernel") {
  Host host;
  cl_program program = host.built(
      "kernel void good(global int *a) { a[0] = 42; }\n"
      "int rabbits(int n) { return n < 2 ? n : rabbits(n - 1) + rabbits(n - 2); }\n"
      "kernel void bad(global int *a) { a[0] = rabbits(a[0]); }\n");
  CHECK(host.log(program).find("warning[TSP-U0005]: the function 'rabbits' calls itself") !=
        std::string::npos);
  cl_int code = 0;
  CHECK(clCreateKernel(program, "bad", &code) == nullptr);
  CHECK(code == CL_INVALID_KERNEL_DEFINITION);
  REQUIRE(host.notes.size() == 1);
  CHECK(host.notes[0].find("error[TSP-U0005]") != std::string::npos);
  cl_kernel good = nullptr;
  cl_uint count = 0;
  CHECK(clCreateKernelsInProgram(program, 1, &good, &count) == CL_SUCCESS);
  CHECK(count == 1);
  CHECK(host.first_int(good) == 42);
  clReleaseKernel(good);
  // By its name, and in what else such a program can be made of.
  const std::vector<unsigned char> binary = host.binary(program);
  const cl_program of_binary = host.from_binary(binary, &code);
  REQUIRE(code == CL_SUCCESS);
  const cl_program of_il = clCreateProgramWithIL(host.context, binary.data(), binary.size(), &code);
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(host.build(of_il) == CL_SUCCESS);
  for (const cl_program each : {program, of_binary, of_il}) {
    good = clCreateKernel(each, "good", &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(host.first_int(good) == 42);
    CHECK(clCreateKernel(each, "bad", &code) == nullptr);
    CHECK(code == CL_INVALID_KERNEL_DEFINITION);
    clReleaseKernel(good);
    clReleaseProgram(each);
  }
}

TEST_CASE("a build fails where nothing defines what a kernel uses, and names it") {
  Host host;
  const char* const kUses =
      "int twice(int x);\nextern constant int table[2];\n"
      "kernel void good(global int *a) { a[0] = 42; }\n"
      "kernel void k(global int *a) { a[0] = twice(a[0]) + table[1]; }\n";
  const char* const kDefines =
      "int twice(int x) { return 2 * x; }\nconstant int table[2] = {7, 2};\n";
  for (const char* const options : {"", "-cl-opt-disable"}) {
    CAPTURE(options);
    cl_program uses = host.source(kUses);
    CHECK(host.build(uses, options) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(host.build_info<cl_build_status>(uses, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_ERROR);
    CHECK(host.log(uses).find("error[TSP-U0006]: nothing defines the function 'twice'") !=
          std::string::npos);
    CHECK(host.log(uses).find("error[TSP-U0008]: nothing defines the variable 'table'") !=
          std::string::npos);
    cl_int code = 0;
    CHECK(clCreateKernel(uses, "good", &code) == nullptr);
    CHECK(code == CL_INVALID_PROGRAM_EXECUTABLE);

    // Compiled, it is a part of a whole program.
    cl_program defines = host.source(kDefines);
    REQUIRE(compile(uses, options) == CL_SUCCESS);
    REQUIRE(compile(defines, options) == CL_SUCCESS);
    cl_program failed = link(host, {uses}, &code);
    CHECK(code == CL_LINK_PROGRAM_FAILURE);
    cl_program whole = link(host, {uses, defines}, &code);
    REQUIRE(code == CL_SUCCESS);
    cl_kernel kernel = host.kernel(whole, "k");
    CHECK(host.first_int(kernel, 20) == 42);
    clReleaseKernel(kernel);

    // The same of a binary and of SPIR-V.
    const std::vector<unsigned char> object = host.binary(uses);
    cl_program of_binary = host.from_binary(object, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(host.build(of_binary) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(host.log(of_binary).find("'twice'") != std::string::npos);
    for (cl_program p : {uses, defines, failed, whole, of_binary}) clReleaseProgram(p);
  }
}

TEST_CASE("declarations that nothing uses do not keep a program from being built") {
  Host host;
  cl_program program = host.built(
      "int twice(int x);\nextern constant int table[2];\nextern int other;\n"
      "kernel void k(global int *a) { a[0] = 42; }\n",
      "-cl-std=CL2.0 -cl-opt-disable");
  cl_kernel kernel = host.kernel(program, "k");
  CHECK(host.first_int(kernel) == 42);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

TEST_CASE("program queries") {
  Host host;
  cl_program program =
      host.source("kernel void a() {} global int g[3]; kernel void b() { g[0] = 1; }");
  std::size_t size = 0;
  CHECK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, 0, nullptr, &size) ==
        CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size) ==
        CL_INVALID_PROGRAM_EXECUTABLE);
  REQUIRE(host.build(program, "-cl-std=CL2.0") == CL_SUCCESS);
  CHECK(program_text(program, CL_PROGRAM_KERNEL_NAMES) == "a;b");
  std::size_t count = 0;
  CHECK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr) ==
        CL_SUCCESS);
  CHECK(count == 2);
  CHECK(host.build_info<std::size_t>(program, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE) == 12);
  CHECK(text_of([&](std::size_t s, void* v, std::size_t* r) {
          return clGetProgramBuildInfo(program, host.device, CL_PROGRAM_BUILD_OPTIONS, s, v, r);
        }) == "-cl-std=CL2.0");
  char small = 0;
  CHECK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 1, &small, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, 1, &small, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetProgramInfo(program, 0xffff, 0, nullptr, &size) == CL_INVALID_VALUE);
  CHECK(clGetProgramInfo(nullptr, CL_PROGRAM_SOURCE, 0, nullptr, &size) == CL_INVALID_PROGRAM);
  CHECK(clGetProgramBuildInfo(program, nullptr, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) ==
        CL_INVALID_DEVICE);
  CHECK(clGetProgramBuildInfo(program, host.device, 0xffff, 0, nullptr, &size) == CL_INVALID_VALUE);
  CHECK(clUnloadPlatformCompiler(host.platform) == CL_SUCCESS);
  clReleaseProgram(program);
}

TEST_CASE("cl_khr_expect_assume: in sources, and in SPIR-V") {
  Host host;
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
    CAPTURE(options);
    cl_program program = host.built(source, options);
    cl_kernel kernel = host.kernel(program, "k");
    CHECK(host.first_int(kernel, 3) == 7);
    CHECK(host.first_int(kernel, 4) == 9);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
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
  cl_int code = 0;
  cl_program program = clCreateProgramWithIL(host.context, module.data(), module.size() * 4, &code);
  INFO((host.notes.empty() ? std::string() : host.notes[0]));
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(host.build(program) == CL_SUCCESS);
  cl_kernel kernel = host.kernel(program, "k");
  CHECK(host.first_int(kernel) == 42);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

TEST_CASE("a required work-group size that no launch can have is told of") {
  Host host;
  cl_program program = host.built(
      "kernel __attribute__((reqd_work_group_size(64, 65, 1))) void large() {}\n"
      "kernel __attribute__((reqd_work_group_size(64, 64, 1))) void fits() {}\n");
  CHECK(host.log(program).find("warning: kernel 'large' cannot be launched: its work-groups must "
                               "have 64 x 65 x 1 work-items, the device's have 4096 at most") == 0);
  CHECK(host.log(program).find("fits") == std::string::npos);
  const std::size_t global[] = {64, 65}, fitting[] = {64, 64};
  cl_kernel large = host.kernel(program, "large"), fits = host.kernel(program, "fits");
  CHECK(clEnqueueNDRangeKernel(host.queue, large, 2, nullptr, global, global, 0, nullptr,
                               nullptr) == CL_INVALID_WORK_GROUP_SIZE);
  CHECK(clEnqueueNDRangeKernel(host.queue, fits, 2, nullptr, fitting, fitting, 0, nullptr,
                               nullptr) == CL_SUCCESS);
  clReleaseKernel(large);
  clReleaseKernel(fits);
  clReleaseProgram(program);
}

TEST_CASE("macros of doubles: of each version its own") {
  Host host;
  for (const auto& [name, feature] : {std::pair("", false), std::pair("-cl-std=CL2.0", false),
                                      std::pair("-cl-std=CL3.0", true)}) {
    const char* const options = name;
    CAPTURE(options);
    cl_program program = host.built(
        "#ifndef cl_khr_fp64\n#error extension\n#endif\n"
        "#ifdef __opencl_c_fp64\n#define N 1\n#else\n#define N 0\n#endif\n"
        "kernel void k(global int *a) { double d = 1.0; a[0] = (int)d * N; }\n",
        options);
    cl_kernel kernel = host.kernel(program, "k");
    CHECK(host.first_int(kernel, 7) == (feature ? 1 : 0));
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }
}

}  // namespace transpire::test
