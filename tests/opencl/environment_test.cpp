// What the environment decides: the version that is presented, the compiler, the cache of what it
// made. CMake runs each test case with the variables that it is about.
#include <stdlib.h>

#include <cstdio>
#include <filesystem>

#include "tests/opencl/refusals.h"

namespace transpire::test::environment_tests {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::size_t count_entries(const fs::path& folder) {
  std::error_code error;
  std::size_t count = 0;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
       ++at)
    ++count;
  return count;
}

cl_int run_k(const Host& host, const std::string& source, const std::string& options = "") {
  return host.first_int(host.built(source, options.c_str()));
}

/// True if an image and a sampler of mipmaps are made.
bool makes_mipmaps(const Host& host) {
  const cl_image_format format{CL_R, CL_FLOAT};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D;
  desc.image_width = 2;
  desc.num_mip_levels = 2;
  const cl_int code = error_of([&](cl_int* error) {
    return clCreateImage(host.context, 0, &format, &desc, nullptr, error);
  });
  const Sampler sampler =
      clCreateSampler(host.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, nullptr);
  const bool answers = clGetSamplerInfo(sampler, CL_SAMPLER_LOD_MAX, 0, nullptr, nullptr) == 0;
  CHECK(code == (answers ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR));
  return answers;
}

/// An empty cache of this test's own.
fs::path fresh_cache() {
  const fs::path folder = fs::path(variable("XDG_CACHE_HOME"));
  REQUIRE(folder.is_absolute());
  fs::remove_all(folder);
  return folder / "transpire";
}

TEST_CASE_FIXTURE(Host, "version") {
  const std::string version = variable("TRANSPIRE_CL_VERSION");
  REQUIRE(!version.empty());
  const auto text = [&](cl_device_info name) { return text_info(clGetDeviceInfo, device, name); };
  CHECK(text(CL_DEVICE_VERSION).starts_with("OpenCL " + version + " "));
  CHECK(text(CL_DEVICE_OPENCL_C_VERSION)
            .starts_with(version[0] == '2' ? "OpenCL C 2.0 " : "OpenCL C " + version + " "));
  // What needs groups, or atomic types, of a newer version.
  const std::string extensions = text(CL_DEVICE_EXTENSIONS);
  const auto has = [&](const char* name) { return extensions.find(name) != std::string::npos; };
  CHECK(has("cl_intel_subgroups "));
  CHECK(has("cl_ext_float_atomics") == (version >= "2.0"));
  CHECK(has("cl_khr_work_group_uniform_arithmetic") == (version >= "2.0"));
  CHECK(has("cl_khr_mipmap_image ") == (version >= "2.0"));
  CHECK(has("cl_khr_mipmap_image_writes") == (version >= "2.0"));
  CHECK(has("cl_khr_subgroup_ballot") == (version >= "2.1"));
  CHECK(has("cl_intel_subgroups_short") == (version >= "2.1"));
  CHECK(makes_mipmaps(*this) == (version >= "2.0"));
  const std::string language = version[0] == '1' ? "-cl-std=CL1.2" : "-cl-std=CL2.0";
  const std::string ballot = version >= "2.1" ? "!defined" : "defined";
  const std::string floats = version >= "2.0" ? "!defined" : "defined";
  const std::string macros = "#if " + ballot + " cl_khr_subgroup_ballot || " + ballot +
                             " cl_intel_subgroups_short || " + floats +
                             " cl_ext_float_atomics || " + floats +
                             " __opencl_c_ext_fp64_local_atomic_add\n#error wrong\n#endif\n";
  built(macros, language.c_str());
  const Program program = source("kernel void k(global int *a) {}");
  CHECK(build(program, "-cl-std=CL1.2") == CL_SUCCESS);
  CHECK((build(program, "-cl-std=CL2.0") == CL_SUCCESS) == (version != "1.2"));
  CHECK((build(program, "-cl-std=CL3.0") == CL_SUCCESS) == (version == "3.0"));
  REQUIRE(build(program) == CL_SUCCESS);
  const Kernel kernel = this->kernel(program, "k");
  set(kernel, nullptr);
  CHECK(enqueue(kernel, {0}) == (version < "2.1" ? CL_INVALID_GLOBAL_WORK_SIZE : CL_SUCCESS));
}

TEST_CASE_FIXTURE(Host, "memory") {
  const cl_ulong all = cl_ulong{64} << 20;
  const auto number = [&](cl_device_info name) {
    return info<cl_ulong>(clGetDeviceInfo, device, name);
  };
  const auto error_with = [&](std::size_t bytes) {
    return error_of(
        [&](cl_int* error) { return clCreateBuffer(context, 0, bytes, nullptr, error); });
  };
  CHECK(number(CL_DEVICE_GLOBAL_MEM_SIZE) == all);
  CHECK(number(CL_DEVICE_MAX_MEM_ALLOC_SIZE) == all / 4 * 3);
  CHECK(number(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) == all / 4 * 3);
  CHECK(error_with(all / 4 * 3) == CL_SUCCESS);
  CHECK(error_with(all / 4 * 3 + 1) == CL_INVALID_BUFFER_SIZE);
}

/// What a device says of its compiler, and does, when there is none.
void check_without_compiler(std::string_view missing) {
  const Host host;
  CHECK(info<cl_bool>(clGetDeviceInfo, host.device, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE);
  const Program program = host.source("kernel void k() {}");
  REFUSES(clBuildProgram, CL_COMPILER_NOT_AVAILABLE, program, 0, nullptr, "", nullptr, nullptr);
  CHECK(host.log(program).find(missing) != std::string::npos);
  CHECK(host.build_info<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_ERROR);
  const Program object = host.source("kernel void k() {}");
  REFUSES(clCompileProgram, CL_COMPILER_NOT_AVAILABLE, object, 0, nullptr, "", 0, nullptr, nullptr,
          nullptr, nullptr);
  CHECK(host.log(object).find(missing) != std::string::npos);
}

TEST_CASE("no compiler") {
  REQUIRE(setenv("PATH", "/nowhere", 1) == 0);
  check_without_compiler("error[TSP-C0031]");
}

TEST_CASE("named compiler that is not there") {
  REQUIRE(setenv("TRANSPIRE_CLANG", "/nowhere/clang", 1) == 0);
  check_without_compiler("'/nowhere/clang'");
}

TEST_CASE("cache") {
  const fs::path cache = fresh_cache();
  Host host;
  const std::string source = "kernel void k(global int *a) { a[0] = N; }";
  CHECK(run_k(host, source, "-DN=1") == 1);
  CHECK(count_entries(cache) == 1);
  CHECK(run_k(host, source, "-DN=1") == 1);
  CHECK(count_entries(cache) == 1);
  CHECK(run_k(host, source, "-DN=2") == 2);
  CHECK(count_entries(cache) == 2);

  // An entry that is damaged is no entry.
  for (const auto& entry : fs::directory_iterator(cache)) fs::resize_file(entry.path(), 20);
  CHECK(run_k(host, source, "-DN=1") == 1);
  for (const auto& entry : fs::directory_iterator(cache))
    fs::resize_file(entry.path(), fs::file_size(entry.path()) - 4);
  CHECK(run_k(host, source, "-DN=1") == 1);

  // What is included from files is part of what is looked up.
  const fs::path folder = cache / "headers";
  fs::create_directories(folder);
  for (const int value : {3, 4, 3}) {
    std::ofstream(folder / "value.h") << "#define N " << value << '\n';
    CHECK(run_k(host, "#include \"value.h\"\n" + source, "-I " + folder.string()) == value);
    CHECK(run_k(host, "#inc\\\nlude \"value.h\"\n" + source, "-I " + folder.string()) == value);
  }
}

TEST_CASE("cache switched off") {
  REQUIRE(setenv("TRANSPIRE_CL_CACHE", "0", 1) == 0);
  const fs::path cache = fresh_cache();
  Host host;
  CHECK(run_k(host, "kernel void k(global int *a) { a[0] = 5; }") == 5);
  CHECK(count_entries(cache) == 0);
}

}  // namespace
}  // namespace transpire::test::environment_tests
