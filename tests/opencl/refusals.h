// Calls with bad arguments. They go through the driver's own dispatch table: what the ICD loader
// would refuse before the driver sees it, a null handle for instance, reaches the driver, too.
//
// tests/opencl/refusals.tsv lists every entry point with the errors that the specification has for
// it; refusals_test.py wants a line here for each kind of bad argument.
#pragma once

#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <doctest/doctest.h>

#include <array>

#include "tests/opencl/support.h"

namespace transpire::test {

/// All that the driver offers: the table, and the functions of extensions that it finds by name.
struct Driver : cl_icd_dispatch {
  clIcdGetPlatformIDsKHR_fn clIcdGetPlatformIDsKHR = nullptr;
  clCreateProgramWithILKHR_fn clCreateProgramWithILKHR = nullptr;
  clCreateCommandQueueWithPropertiesKHR_fn clCreateCommandQueueWithPropertiesKHR = nullptr;
  clGetKernelSuggestedLocalWorkSizeKHR_fn clGetKernelSuggestedLocalWorkSizeKHR = nullptr;
};

inline const Driver& driver() {
  static const Driver made = [] {
    Driver driver{};
    const cl_platform_id platform = the_platform();
    static_cast<cl_icd_dispatch&>(driver) =
        **reinterpret_cast<const cl_icd_dispatch* const*>(platform);
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          clGetExtensionFunctionAddressForPlatform(platform, name));
      REQUIRE((function != nullptr));
    };
    find(driver.clIcdGetPlatformIDsKHR, "clIcdGetPlatformIDsKHR");
    find(driver.clCreateProgramWithILKHR, "clCreateProgramWithILKHR");
    find(driver.clCreateCommandQueueWithPropertiesKHR, "clCreateCommandQueueWithPropertiesKHR");
    find(driver.clGetKernelSuggestedLocalWorkSizeKHR, "clGetKernelSuggestedLocalWorkSizeKHR");
    return driver;
  }();
  return made;
}

/// Null, and an object of another kind.
template <class Handle>
std::array<Handle, 2> bad() {
  void* const other = std::is_same_v<Handle, cl_device_id> ? static_cast<void*>(the_platform())
                                                           : static_cast<void*>(the_device());
  return {nullptr, static_cast<Handle>(other)};
}

/// The same, and a queue that only kernels enqueue to.
inline std::array<cl_command_queue, 3> no_host_queues(const Setup& setup) {
  return {bad<cl_command_queue>()[0], bad<cl_command_queue>()[1], setup.on_device};
}

}  // namespace transpire::test

/// The call gives the error.
#define REFUSES(function, code, ...) CHECK(driver().function(__VA_ARGS__) == (code))

/// The same for one that gives an object, and takes where the error goes as its last argument.
#define REFUSES_TO_MAKE(function, code, ...) \
  CHECK(error_of([&](cl_int* error) { return driver().function(__VA_ARGS__, error); }) == (code))

/// The same for one that gives an object, `made`, all the same.
#define REFUSES_YET_MAKES(function, code, made, ...)    \
  do {                                                  \
    cl_int found_code = 1000;                           \
    made = driver().function(__VA_ARGS__, &found_code); \
    CHECK((made != nullptr && found_code == (code)));   \
  } while (false)

/// For one that has no place for an error: gives null.
#define GIVES_NULL(function, ...) CHECK(driver().function(__VA_ARGS__) == nullptr)

/// For one that gives nothing: only must not do anything.
#define IGNORES(function, ...) driver().function(__VA_ARGS__)

/// Wait lists that every command must refuse: CL_INVALID_EVENT_WAIT_LIST for three,
/// CL_INVALID_CONTEXT for one. The arguments are those before the wait list.
#define REFUSES_WAITS(function, ...)                                                             \
  CHECK(refuses_bad_waits(                                                                       \
      setup, [&](auto... waits) { return driver().function(__VA_ARGS__, waits...); }));          \
  for (const cl_event bad_event : bad<cl_event>()) {                                             \
    CHECK(driver().function(__VA_ARGS__, 1, &bad_event, nullptr) == CL_INVALID_EVENT_WAIT_LIST); \
  }
