// The platform, and the reader of the environment.
#include "opencl/platform.h"

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "opencl/api.h"
#include "opencl/device.h"
#include "opencl/extensions.h"

namespace transpire::opencl {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// "2.0" and the like; anything but a version that there is gives the newest.
cl_version parse_version(std::string_view text) {
  for (const cl_version known : {CL_MAKE_VERSION(1, 2, 0), CL_MAKE_VERSION(2, 0, 0),
                                 CL_MAKE_VERSION(2, 1, 0), CL_MAKE_VERSION(2, 2, 0)})
    if (text == fmt::format("{}.{}", CL_VERSION_MAJOR(known), CL_VERSION_MINOR(known)))
      return known;
  return CL_MAKE_VERSION(3, 0, 0);
}

/// Whether `word` stands in a list with commas.
bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == word) return true;
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return false;
}

Environment read_environment() {
  Environment read;
  read.version = parse_version(variable("TRANSPIRE_CL_VERSION"));
  read.record_folder = variable("TRANSPIRE_CL_RECORD");
  read.report_file = variable("TRANSPIRE_CL_REPORT");
  const std::string checks = variable("TRANSPIRE_CL_CHECK");
  read.check_ub = lists(checks, "ub");
  read.check_bounds = lists(checks, "bounds");
  read.check_sync = lists(checks, "sync");
  read.reference_math = variable("TRANSPIRE_CL_MATH") == "reference";
  read.enforce_flags = variable("TRANSPIRE_CL_ENFORCE_FLAGS") == "1";
  return read;
}

void give_platforms(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  check((num_entries != 0) == (platforms != nullptr), CL_INVALID_VALUE);
  check(platforms != nullptr || num_platforms != nullptr, CL_INVALID_VALUE);
  if (platforms != nullptr) platforms[0] = &platform();
  if (num_platforms != nullptr) *num_platforms = 1;
}

}  // namespace

// Neither is ever destroyed: threads of the application may call while the process exits.
const Environment& environment() {
  static const Environment* const read = new Environment(read_environment());
  return *read;
}

_cl_platform_id& platform() {
  static _cl_platform_id* const made = new _cl_platform_id;
  return *made;
}

}  // namespace transpire::opencl

using namespace transpire::opencl;

_cl_platform_id::_cl_platform_id() {
  environment();
  transpire::Result<transpire::Device> device = transpire::Device::create();
  if (device.ok())
    root = new _cl_device_id(std::move(*device));
  else  // a variable of the environment is wrong; the loader only says that there is no platform
    std::fputs(transpire::format(device.errors()[0]).c_str(), stderr);
}

_cl_platform_id::~_cl_platform_id() {
  if (root != nullptr) root->release();
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms,
                                    cl_uint* num_platforms) {
  return guarded([&] { give_platforms(num_entries, platforms, num_platforms); });
}

/// What the loader asks: a driver that has no platform says so in an error of its own.
cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                          cl_uint* num_platforms) {
  return guarded([&] {
    check(platform().root != nullptr, CL_PLATFORM_NOT_FOUND_KHR);
    give_platforms(num_entries, platforms, num_platforms);
  });
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id of, cl_platform_info param_name, size_t size,
                                     void* value, size_t* size_ret) {
  return guarded([&] {
    if (of == nullptr) of = &platform();
    check_object(of, CL_INVALID_PLATFORM);
    const cl_version version = environment().version;
    const Answer answer{size, value, size_ret};
    switch (param_name) {
      case CL_PLATFORM_PROFILE: return answer.give_text("FULL_PROFILE");
      case CL_PLATFORM_VERSION:
        return answer.give_text(fmt::format("OpenCL {}.{} Transpire {}", CL_VERSION_MAJOR(version),
                                            CL_VERSION_MINOR(version), transpire::version()));
      case CL_PLATFORM_NUMERIC_VERSION: return answer.give(version);
      case CL_PLATFORM_NAME: return answer.give_text("Transpire");
      case CL_PLATFORM_VENDOR: return answer.give_text("Transpire");
      case CL_PLATFORM_EXTENSIONS: return answer.give_text(extension_names());
      case CL_PLATFORM_EXTENSIONS_WITH_VERSION: return answer.give_list(extensions());
      case CL_PLATFORM_ICD_SUFFIX_KHR: return answer.give_text("TRANSPIRE");
      case CL_PLATFORM_HOST_TIMER_RESOLUTION: return answer.give<cl_ulong>(1);  // steady_clock
      default: throw ApiError{CL_INVALID_VALUE};
    }
  });
}
