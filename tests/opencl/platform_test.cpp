// The platform's queries and how the loader finds functions.
#include <CL/cl_ext.h>
#include <doctest/doctest.h>

#include <string>

#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

std::string text(cl_platform_info name) {
  char buffer[4096] = {};
  std::size_t size = 0;
  REQUIRE(clGetPlatformInfo(the_platform(), name, sizeof buffer, buffer, &size) == CL_SUCCESS);
  CHECK(size == std::string(buffer).size() + 1);
  return buffer;
}

}  // namespace

TEST_CASE("platform: what it is") {
  CHECK(text(CL_PLATFORM_NAME) == "Transpire");
  CHECK(text(CL_PLATFORM_PROFILE) == "FULL_PROFILE");
  CHECK(text(CL_PLATFORM_VERSION).rfind("OpenCL 3.0 Transpire ", 0) == 0);
  CHECK(text(CL_PLATFORM_ICD_SUFFIX_KHR) == "TRANSPIRE");
  CHECK(text(CL_PLATFORM_EXTENSIONS).find("cl_khr_icd") != std::string::npos);
  CHECK(info<cl_version>(clGetPlatformInfo, the_platform(), CL_PLATFORM_NUMERIC_VERSION) ==
        CL_MAKE_VERSION(3, 0, 0));
  CHECK(info<cl_ulong>(clGetPlatformInfo, the_platform(), CL_PLATFORM_HOST_TIMER_RESOLUTION) == 1);
  std::size_t size = 0;
  CHECK(clGetPlatformInfo(the_platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0, nullptr, &size) ==
        CL_SUCCESS);
  CHECK((size != 0 && size % sizeof(cl_name_version) == 0));
}

TEST_CASE("platform: errors") {
  char buffer[4];
  CHECK(clGetPlatformInfo(the_platform(), CL_PLATFORM_NAME, sizeof buffer, buffer, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(clGetPlatformInfo(the_platform(), 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  cl_platform_id platform = nullptr;
  CHECK(clGetPlatformIDs(0, &platform, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetPlatformIDs(0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("platform: functions by name") {
  CHECK(clGetExtensionFunctionAddressForPlatform(the_platform(), "clIcdGetPlatformIDsKHR") !=
        nullptr);
  CHECK(clGetExtensionFunctionAddressForPlatform(the_platform(), "clNoSuchFunction") == nullptr);
}

}  // namespace transpire::test
