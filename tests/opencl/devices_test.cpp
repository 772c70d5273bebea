// Devices, sub-devices, contexts and the clock.
#include <array>

#include "tests/opencl/host.h"

namespace transpire::test {
namespace {

std::string device_text(cl_device_id device, cl_device_info name) {
  return text_of([=](std::size_t size, void* value, std::size_t* size_ret) {
    return clGetDeviceInfo(device, name, size, value, size_ret);
  });
}

template <class T>
T device_info(cl_device_id device, cl_device_info name) {
  T value{};
  std::size_t size = 0;
  REQUIRE(clGetDeviceInfo(device, name, sizeof value, &value, &size) == CL_SUCCESS);
  REQUIRE(size == sizeof value);
  return value;
}

/// Every query of CL/cl.h about a device.
constexpr cl_device_info kLastQuery = CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED;

/// Numbers of extensions that are not announced: identifiers of cl_khr_device_uuid.
constexpr bool is_foreign(cl_device_info name) { return name >= 0x106A && name <= 0x106E; }

}  // namespace

TEST_CASE("finding devices") {
  Host host;
  cl_device_id device = nullptr;
  cl_uint count = 0;
  CHECK(clGetDeviceIDs(host.platform, CL_DEVICE_TYPE_CPU, 1, &device, &count) == CL_SUCCESS);
  CHECK(count == 1);
  CHECK(device == host.device);
  CHECK(clGetDeviceIDs(host.platform, CL_DEVICE_TYPE_DEFAULT, 0, nullptr, &count) == CL_SUCCESS);
  CHECK(clGetDeviceIDs(host.platform, CL_DEVICE_TYPE_GPU, 1, &device, &count) ==
        CL_DEVICE_NOT_FOUND);
  CHECK(clGetDeviceIDs(host.platform, 0, 1, &device, &count) == CL_INVALID_DEVICE_TYPE);
  CHECK(clGetDeviceIDs(host.platform, CL_DEVICE_TYPE_CPU, 0, &device, &count) == CL_INVALID_VALUE);
  CHECK(clGetDeviceIDs(host.platform, CL_DEVICE_TYPE_CPU, 0, nullptr, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("every query has an answer, and only those") {
  Host host;
  for (cl_device_info name = CL_DEVICE_TYPE; name <= kLastQuery; ++name) {
    CAPTURE(name);
    std::size_t size = 0;
    const cl_int code = clGetDeviceInfo(host.device, name, 0, nullptr, &size);
    CHECK(code == (is_foreign(name) ? CL_INVALID_VALUE : CL_SUCCESS));
    char small = 0;
    if (code == CL_SUCCESS && size > 1)
      CHECK(clGetDeviceInfo(host.device, name, 1, &small, nullptr) == CL_INVALID_VALUE);
  }
  CHECK(clGetDeviceInfo(host.device, 0xffff, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetDeviceInfo(nullptr, CL_DEVICE_NAME, 0, nullptr, nullptr) == CL_INVALID_DEVICE);
}

TEST_CASE("limits of images, at least those of the full profile") {
  Host host;
  const auto size = [&](cl_device_info name) {
    return device_info<std::size_t>(host.device, name);
  };
  for (const cl_device_info name : {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT})
    CHECK(size(name) >= 16384);
  for (const cl_device_info name : {CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT,
                                    CL_DEVICE_IMAGE3D_MAX_DEPTH, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE})
    CHECK(size(name) >= 2048);
  CHECK(size(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE) >= 65536);
  CHECK(device_info<cl_uint>(host.device, CL_DEVICE_MAX_READ_IMAGE_ARGS) >= 128);
  CHECK(device_info<cl_uint>(host.device, CL_DEVICE_MAX_WRITE_IMAGE_ARGS) >= 64);
  CHECK(device_info<cl_uint>(host.device, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS) >= 64);
  CHECK(device_info<cl_uint>(host.device, CL_DEVICE_MAX_SAMPLERS) >= 16);
  CHECK(device_info<cl_uint>(host.device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT) == 1);
  CHECK(device_info<cl_uint>(host.device, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT) == 1);
}

TEST_CASE("what the device says of itself") {
  Host host;
  CHECK(device_text(host.device, CL_DEVICE_VERSION).starts_with("OpenCL 3.0 "));
  CHECK(device_text(host.device, CL_DEVICE_OPENCL_C_VERSION).starts_with("OpenCL C 3.0 "));
  CHECK(device_text(host.device, CL_DEVICE_PROFILE) == "FULL_PROFILE");
  CHECK(device_text(host.device, CL_DEVICE_IL_VERSION).starts_with("SPIR-V_1.0 SPIR-V_1.1"));
  CHECK(device_text(host.device, CL_DEVICE_BUILT_IN_KERNELS).empty());
  CHECK(device_info<cl_bool>(host.device, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE);
  CHECK(device_info<cl_bool>(host.device, CL_DEVICE_PIPE_SUPPORT) == CL_TRUE);
  CHECK(device_info<cl_ulong>(host.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE) >=
        device_info<cl_ulong>(host.device, CL_DEVICE_GLOBAL_MEM_SIZE) / 4);
  // The list with versions is the text.
  std::size_t size = 0;
  REQUIRE(clGetDeviceInfo(host.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &size) ==
          CL_SUCCESS);
  std::vector<cl_name_version> list(size / sizeof(cl_name_version));
  REQUIRE(clGetDeviceInfo(host.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, size, list.data(),
                          nullptr) == CL_SUCCESS);
  std::string names;
  for (const cl_name_version& extension : list)
    names += (names.empty() ? "" : " ") + std::string(extension.name);
  CHECK(names == device_text(host.device, CL_DEVICE_EXTENSIONS));
  const auto version_of = [&](const std::string& name) {
    for (const cl_name_version& extension : list)
      if (name == extension.name) return extension.version;
    return cl_version{0};
  };
  CHECK(version_of("cl_khr_expect_assume") == CL_MAKE_VERSION(1, 0, 0));
}

TEST_CASE("sub-devices") {
  Host host;
  using Property = cl_device_partition_property;
  const auto threads = device_info<cl_uint>(host.device, CL_DEVICE_MAX_COMPUTE_UNITS);
  const auto count_of = [&](std::vector<Property> list) {
    cl_uint count = 0;
    const cl_int code = clCreateSubDevices(host.device, list.data(), 0, nullptr, &count);
    return code == CL_SUCCESS ? static_cast<cl_int>(count) : code;
  };
  CHECK(count_of({CL_DEVICE_PARTITION_EQUALLY, 1, 0}) ==
        (threads > 1 ? static_cast<cl_int>(threads) : CL_DEVICE_PARTITION_FAILED));
  CHECK(count_of({CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}) == 1);
  CHECK(count_of({CL_DEVICE_PARTITION_EQUALLY, 0, 0}) == CL_INVALID_VALUE);
  CHECK(count_of({CL_DEVICE_PARTITION_EQUALLY, threads, 0}) == CL_DEVICE_PARTITION_FAILED);
  CHECK(count_of({CL_DEVICE_PARTITION_EQUALLY, threads + 1, 0}) ==
        CL_INVALID_DEVICE_PARTITION_COUNT);
  CHECK(count_of({CL_DEVICE_PARTITION_BY_COUNTS, threads, 1, 0, 0}) ==
        CL_INVALID_DEVICE_PARTITION_COUNT);
  CHECK(count_of({CL_DEVICE_PARTITION_BY_COUNTS, 0, 0}) == CL_INVALID_VALUE);
  CHECK(count_of({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0}) ==
        CL_INVALID_VALUE);
  CHECK(clCreateSubDevices(host.device, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);

  const std::array<Property, 4> one{CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_device_id part = nullptr;
  CHECK(clCreateSubDevices(nullptr, one.data(), 1, &part, nullptr) == CL_INVALID_DEVICE);
  CHECK(clCreateSubDevices(host.device, one.data(), 0, &part, nullptr) == CL_INVALID_VALUE);
  REQUIRE(clCreateSubDevices(host.device, one.data(), 1, &part, nullptr) == CL_SUCCESS);
  CHECK(device_info<cl_uint>(part, CL_DEVICE_MAX_COMPUTE_UNITS) == 1);
  CHECK(device_info<cl_device_id>(part, CL_DEVICE_PARENT_DEVICE) == host.device);
  CHECK(device_info<std::array<Property, 4>>(part, CL_DEVICE_PARTITION_TYPE) == one);
  CHECK(clRetainDevice(part) == CL_SUCCESS);
  CHECK(device_info<cl_uint>(part, CL_DEVICE_REFERENCE_COUNT) == 2);
  CHECK(clReleaseDevice(part) == CL_SUCCESS);

  cl_int code = 0;
  cl_context context = clCreateContext(nullptr, 1, &part, nullptr, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(clReleaseDevice(part) == CL_SUCCESS);  // the context keeps it
  CHECK(clReleaseContext(context) == CL_SUCCESS);

  CHECK(clRetainDevice(host.device) == CL_SUCCESS);
  CHECK(clReleaseDevice(host.device) == CL_SUCCESS);
  CHECK(clReleaseDevice(host.device) == CL_SUCCESS);
  CHECK(device_info<cl_uint>(host.device, CL_DEVICE_REFERENCE_COUNT) == 1);
  CHECK(clRetainDevice(nullptr) == CL_INVALID_DEVICE);
}

TEST_CASE("contexts") {
  Host host;
  cl_int code = 0;
  const auto error = [&](std::vector<cl_context_properties> list) {
    cl_context context = clCreateContext(list.data(), 1, &host.device, nullptr, nullptr, &code);
    if (context != nullptr) clReleaseContext(context);
    return code;
  };
  const auto platform = reinterpret_cast<cl_context_properties>(host.platform);
  CHECK(error({CL_CONTEXT_PLATFORM, platform, 0}) == CL_SUCCESS);
  CHECK(error({CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0}) ==
        CL_SUCCESS);
  CHECK(error({CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_PLATFORM, platform, 0}) ==
        CL_INVALID_PROPERTY);
  CHECK(error({CL_CONTEXT_PLATFORM, platform, 0x4242, 1, 0}) == CL_INVALID_PROPERTY);
  CHECK(clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(clCreateContext(nullptr, 1, &host.device, nullptr, &code, &code) == nullptr);
  CHECK(code == CL_INVALID_VALUE);
  const cl_context_properties list[] = {CL_CONTEXT_PLATFORM, platform, 0};
  CHECK(clCreateContextFromType(list, CL_DEVICE_TYPE_GPU, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_DEVICE_NOT_FOUND);
  CHECK(clCreateContextFromType(list, 0, nullptr, nullptr, &code) == nullptr);
  CHECK(code == CL_INVALID_DEVICE_TYPE);

  cl_context context = clCreateContextFromType(list, CL_DEVICE_TYPE_ALL, nullptr, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  std::array<cl_context_properties, 3> back{};
  CHECK(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof back, back.data(), nullptr) ==
        CL_SUCCESS);
  CHECK(back == std::array<cl_context_properties, 3>{CL_CONTEXT_PLATFORM, platform, 0});
  CHECK(clGetContextInfo(context, 0xffff, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetContextInfo(nullptr, CL_CONTEXT_DEVICES, 0, nullptr, nullptr) == CL_INVALID_CONTEXT);
  int order = 0;
  const auto first = [](cl_context, void* at) {
    *static_cast<int*>(at) = *static_cast<int*>(at) * 10 + 1;
  };
  const auto second = [](cl_context, void* at) {
    *static_cast<int*>(at) = *static_cast<int*>(at) * 10 + 2;
  };
  CHECK(clSetContextDestructorCallback(context, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clSetContextDestructorCallback(context, first, &order) == CL_SUCCESS);
  CHECK(clSetContextDestructorCallback(context, second, &order) == CL_SUCCESS);
  CHECK(clRetainContext(context) == CL_SUCCESS);
  CHECK(clReleaseContext(context) == CL_SUCCESS);
  CHECK(order == 0);
  CHECK(clReleaseContext(context) == CL_SUCCESS);
  CHECK(order == 21);
}

TEST_CASE("host and device have one clock") {
  Host host;
  cl_ulong device = 0, before = 0, after = 0;
  CHECK(clGetHostTimer(host.device, &before) == CL_SUCCESS);
  CHECK(clGetDeviceAndHostTimer(host.device, &device, &after) == CL_SUCCESS);
  CHECK(before <= device);
  CHECK(device <= after);
  CHECK(clGetHostTimer(host.device, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetHostTimer(nullptr, &before) == CL_INVALID_DEVICE);
  CHECK(clGetDeviceAndHostTimer(host.device, &device, nullptr) == CL_INVALID_VALUE);
}

}  // namespace transpire::test
