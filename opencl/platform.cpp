// The platform, and the reader of the environment.
#include "opencl/platform.h"

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <span>
#include <string_view>

#include "opencl/api.h"
#include "opencl/device.h"
#include "opencl/extensions.h"

namespace transpire::opencl {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Reads variables that name one of few words, or several of them; collects what they have wrong.
class Reader {
 public:
  explicit Reader(std::vector<Diagnostic>* errors) : errors_(*errors) {}

  /// The index of the variable's value in `words`; 0 where it is not set or empty.
  std::size_t one_of(const char* name, std::span<const std::string_view> words) {
    const std::string value = variable(name);
    if (value.empty()) return 0;
    return find(name, value, words);
  }

  /// The indices of the words of a list with commas.
  std::set<std::size_t> some_of(const char* name, std::span<const std::string_view> words) {
    std::set<std::size_t> found;
    const std::string value = variable(name);
    for (std::string_view left = value; !left.empty();) {
      const std::size_t comma = left.find(',');
      found.insert(find(name, left.substr(0, comma), words));
      left.remove_prefix(comma == std::string_view::npos ? left.size() : comma + 1);
    }
    return found;
  }

 private:
  std::size_t find(const char* name, std::string_view value,
                   std::span<const std::string_view> words) {
    const auto at = std::find(words.begin(), words.end(), value);
    if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
    Diagnostic error;
    error.rule = "TSP-C0033";
    error.message = fmt::format("'{}' in {} means nothing", value, name);
    error.help = fmt::format("known are: {}", fmt::join(words, ", "));
    errors_.push_back(std::move(error));
    return 0;
  }

  std::vector<Diagnostic>& errors_;
};

Environment read_environment() {
  constexpr std::string_view kVersions[] = {"3.0", "2.2", "2.1", "2.0", "1.2"};
  constexpr cl_version kNumbers[] = {CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(2, 2, 0),
                                     CL_MAKE_VERSION(2, 1, 0), CL_MAKE_VERSION(2, 0, 0),
                                     CL_MAKE_VERSION(1, 2, 0)};
  constexpr std::string_view kChecks[] = {"ub", "bounds", "sync"};
  constexpr std::string_view kMath[] = {"fast", "reference"};
  constexpr std::string_view kSwitch[] = {"0", "1"};
  Environment read;
  Reader reader(&read.errors);
  read.version = kNumbers[reader.one_of("TRANSPIRE_CL_VERSION", kVersions)];
  read.record_folder = variable("TRANSPIRE_CL_RECORD");
  read.report_file = variable("TRANSPIRE_CL_REPORT");
  const std::set<std::size_t> checks = reader.some_of("TRANSPIRE_CL_CHECK", kChecks);
  read.check_ub = checks.contains(0);
  read.check_bounds = checks.contains(1);
  read.check_sync = checks.contains(2);
  read.reference_math = reader.one_of("TRANSPIRE_CL_MATH", kMath) == 1;
  read.enforce_flags = reader.one_of("TRANSPIRE_CL_ENFORCE_FLAGS", kSwitch) == 1;
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
  std::vector<transpire::Diagnostic> errors = environment().errors;
  transpire::Result<transpire::Device> device = transpire::Device::create();
  if (!device.ok()) errors.push_back(device.errors()[0]);
  if (errors.empty()) root = new _cl_device_id(std::move(*device));
  // Variables of the environment are wrong; the loader only says that there is no platform.
  for (const transpire::Diagnostic& error : errors)
    std::fputs(transpire::format(error).c_str(), stderr);
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
      case CL_PLATFORM_PROFILE:
        return answer.give_text("FULL_PROFILE");
      case CL_PLATFORM_VERSION:
        return answer.give_text(fmt::format("OpenCL {}.{} Transpire {}", CL_VERSION_MAJOR(version),
                                            CL_VERSION_MINOR(version), transpire::version()));
      case CL_PLATFORM_NUMERIC_VERSION:
        return answer.give(version);
      case CL_PLATFORM_NAME:
        return answer.give_text("Transpire");
      case CL_PLATFORM_VENDOR:
        return answer.give_text("Transpire");
      case CL_PLATFORM_EXTENSIONS:
        return answer.give_text(extension_names());
      case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return answer.give_list(extensions());
      case CL_PLATFORM_ICD_SUFFIX_KHR:
        return answer.give_text("TRANSPIRE");
      case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return answer.give<cl_ulong>(1);  // steady_clock
      default:
        throw ApiError{CL_INVALID_VALUE};
    }
  });
}
