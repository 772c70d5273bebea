// What a source gets before it: as much as its version of OpenCL C, the device and its own words call for.
#include "compiler/source_prologue.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace transpire::test {
namespace {

using namespace compiler;

std::string prologue(const Language& language, std::string_view source,
                     const std::vector<std::string>& options = {}) {
  return language_prologue(language, options, source);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("options name the version and the device's extensions") {
  const Language language{"CL3.0", 2, 1, {"cl_khr_fp16", "cl_khr_kernel_clock"}};
  const std::vector<std::string> options = language_options(language);
  REQUIRE(options.size() == 4);
  CHECK(options[0] == "-cl-std=CL3.0");
  CHECK(options[2].starts_with("-cl-ext=-all,+cl_khr_fp16,+cl_khr_kernel_clock,+__opencl_c_fp64"));
  CHECK(options[3] == "-D__OPENCL_VERSION__=210");
}

TEST_CASE("functions are declared for sources that may use them") {
  const Language language{"CL3.0", 3, 0, {"cl_khr_kernel_clock"}};
  CHECK(contains(prologue(language, "clock_read_device()"), "__spirv_ReadClockKHR"));
  CHECK(contains(prologue(language, "#include \"f.h\""), "__spirv_ReadClockKHR"));
  CHECK(contains(prologue(language, "F()", {"-DF=clock_read_device"}), "__spirv_ReadClockKHR"));
  CHECK_FALSE(contains(prologue(language, "kernel void f() {}"), "__spirv_"));
  CHECK_FALSE(contains(prologue({"CL3.0", 3, 0, {}}, "clock_read_device()"), "__spirv_ReadClock"));
}

TEST_CASE("a source for no device has beside clang's language what clang does not declare") {
  CHECK(common_prologue({"-cl-std=CL2.0"}, "kernel void f() {}").empty());
  CHECK(contains(common_prologue({}, "intel_sub_group_shuffle(x, 0)"), "intel_sub_group_shuffle"));
  const std::string extension = common_prologue({}, "#ifdef cl_khr_kernel_clock");
  CHECK(
      contains(extension, "#ifndef cl_khr_kernel_clock\n#define cl_khr_kernel_clock 1\n#endif\n"));
  CHECK_FALSE(contains(extension, "__spirv_"));
  CHECK(contains(common_prologue({"-cl-std=cl2.0"}, "work_group_reduce_mul(x)"), "reduce_mul"));
  CHECK_FALSE(contains(common_prologue({}, "work_group_reduce_mul(x)"), "reduce_mul"));
  CHECK_FALSE(contains(common_prologue({"-cl-std=CL1.1"}, "clock_read_device()"), "__spirv_"));
  CHECK(common_prologue({"-cl-std=clc++"}, "clock_read_device()").empty());
  CHECK(contains(common_prologue({}, "CLK_UNORM_INT_101010_2"), "0x10E0"));
  CHECK(contains(common_prologue({"-cl-std=CL3.0"}, "CLK_NULL_EVENT"), "#define CLK_NULL_EVENT "));
  CHECK_FALSE(contains(common_prologue({}, "CLK_NULL_EVENT"), "CLK_NULL_EVENT"));
}

TEST_CASE("null handles are for sources that may use them, by a header too") {
  const auto text = [](const char* standard, const char* source) {
    return common_prologue({fmt::format("-cl-std={}", standard)}, source);
  };
  CHECK(contains(text("CL2.0", "x = CLK_NULL_EVENT;"), "#define CLK_NULL_EVENT"));
  CHECK(contains(text("CL3.0", "x = CLK_NULL_RESERVE_ID;"), "#define CLK_NULL_RESERVE_ID"));
  CHECK(contains(text("CL2.0", "#include \"events.cl\""), "#define CLK_NULL_EVENT"));
  CHECK_FALSE(contains(text("CL1.2", "x = CLK_NULL_EVENT;"), "CLK_NULL_EVENT"));
  CHECK_FALSE(contains(text("CL2.0", "kernel void f() {}"), "CLK_NULL_EVENT"));
}

TEST_CASE("macros are those of the language's version and of what the device announces") {
  const std::vector<std::string> extensions{"cl_khr_fp16", "cl_khr_subgroup_ballot"};
  const std::string newest = prologue({"CL3.0", 3, 0, extensions}, "");
  CHECK(contains(newest, "#define cl_khr_fp16 1\n"));
  CHECK_FALSE(contains(newest, "__opencl_c_device_enqueue"));
  CHECK(contains(newest, "#define CLK_NULL_EVENT "));
  CHECK_FALSE(contains(newest, "__opencl_c_pipes"));
  CHECK_FALSE(contains(newest, "__opencl_c_images"));
  CHECK(contains(newest, "#define CLK_UNORM_INT_101010_2 0x10E0\n"));
  CHECK(contains(newest, "#undef cl_khr_subgroup_rotate\n"));
  CHECK_FALSE(contains(newest, "#undef cl_khr_subgroup_ballot\n"));
  const std::string old = prologue({"CL1.1", 3, 0, extensions}, "dot_4x8packed_uu_uint(a, b)");
  CHECK(contains(old, "#define cl_khr_fp16 1\n"));
  CHECK_FALSE(contains(old, "__opencl_c_"));
  CHECK_FALSE(contains(old, "__spirv_"));
}

}  // namespace
}  // namespace transpire::test
