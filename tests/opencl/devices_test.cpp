// The platform, devices, sub-devices, contexts and the clock. Bad arguments: refusals_objects_test.cpp.
#include "tests/opencl/support.h"

namespace transpire::test::devices_tests {
namespace {

std::string device_text(cl_device_info name) {
  return text_info(clGetDeviceInfo, the_device(), name);
}

template <class T>
T device_info(cl_device_info name, cl_device_id device = the_device()) {
  return info<T>(clGetDeviceInfo, device, name);
}

std::string platform_text(cl_platform_info name) {
  return text_info(clGetPlatformInfo, the_platform(), name);
}

/// Every query of CL/cl.h about a device.
constexpr cl_device_info kLastQuery = CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED;

/// Numbers of extensions that are not announced: identifiers of cl_khr_device_uuid.
constexpr bool is_foreign(cl_device_info name) { return name >= 0x106A && name <= 0x106E; }

TEST_CASE("platform: what it is") {
  CHECK(platform_text(CL_PLATFORM_NAME) == "Transpire");
  CHECK(platform_text(CL_PLATFORM_PROFILE) == "FULL_PROFILE");
  CHECK(platform_text(CL_PLATFORM_VERSION).starts_with("OpenCL 3.0 Transpire "));
  CHECK(platform_text(CL_PLATFORM_ICD_SUFFIX_KHR) == "TRANSPIRE");
  CHECK(platform_text(CL_PLATFORM_EXTENSIONS).find("cl_khr_icd") != std::string::npos);
  CHECK(info<cl_version>(clGetPlatformInfo, the_platform(), CL_PLATFORM_NUMERIC_VERSION) ==
        CL_MAKE_VERSION(3, 0, 0));
  CHECK(info<cl_ulong>(clGetPlatformInfo, the_platform(), CL_PLATFORM_HOST_TIMER_RESOLUTION) == 1);
  const auto bytes =
      list_info<char>(clGetPlatformInfo, the_platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION);
  CHECK((!bytes.empty() && bytes.size() % sizeof(cl_name_version) == 0));
}

TEST_CASE("finding devices") {
  cl_device_id device = nullptr;
  cl_uint count = 0;
  CHECK(clGetDeviceIDs(the_platform(), CL_DEVICE_TYPE_CPU, 1, &device, &count) == CL_SUCCESS);
  CHECK(count == 1);
  CHECK(device == the_device());
  CHECK(clGetDeviceIDs(the_platform(), CL_DEVICE_TYPE_DEFAULT, 0, nullptr, &count) == CL_SUCCESS);
}

TEST_CASE("every query has an answer, and only those") {
  for (cl_device_info name = CL_DEVICE_TYPE; name <= kLastQuery; ++name) {
    CAPTURE(name);
    std::size_t size = 0;
    const cl_int code = clGetDeviceInfo(the_device(), name, 0, nullptr, &size);
    CHECK(code == (is_foreign(name) ? CL_INVALID_VALUE : CL_SUCCESS));
    char small = 0;
    if (code == CL_SUCCESS && size > 1)
      CHECK(clGetDeviceInfo(the_device(), name, 1, &small, nullptr) == CL_INVALID_VALUE);
  }
}

TEST_CASE("limits of images, at least those of the full profile") {
  const std::pair<cl_device_info, std::size_t> sizes[] = {
      {CL_DEVICE_IMAGE2D_MAX_WIDTH, 16384},    {CL_DEVICE_IMAGE2D_MAX_HEIGHT, 16384},
      {CL_DEVICE_IMAGE3D_MAX_WIDTH, 2048},     {CL_DEVICE_IMAGE3D_MAX_HEIGHT, 2048},
      {CL_DEVICE_IMAGE3D_MAX_DEPTH, 2048},     {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 2048},
      {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 65536}};
  for (const auto& [name, least] : sizes) CHECK(device_info<std::size_t>(name) >= least);
  const std::pair<cl_device_info, cl_uint> counts[] = {{CL_DEVICE_MAX_READ_IMAGE_ARGS, 128},
                                                       {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 64},
                                                       {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 64},
                                                       {CL_DEVICE_MAX_SAMPLERS, 16}};
  for (const auto& [name, least] : counts) CHECK(device_info<cl_uint>(name) >= least);
  CHECK(device_info<cl_uint>(CL_DEVICE_IMAGE_PITCH_ALIGNMENT) == 1);
  CHECK(device_info<cl_uint>(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT) == 1);
}

TEST_CASE("what the device says of itself") {
  CHECK(device_text(CL_DEVICE_VERSION).starts_with("OpenCL 3.0 "));
  CHECK(device_text(CL_DEVICE_OPENCL_C_VERSION).starts_with("OpenCL C 3.0 "));
  CHECK(device_text(CL_DEVICE_PROFILE) == "FULL_PROFILE");
  CHECK(device_text(CL_DEVICE_IL_VERSION).starts_with("SPIR-V_1.0 SPIR-V_1.1"));
  CHECK(device_text(CL_DEVICE_BUILT_IN_KERNELS).empty());
  CHECK(device_info<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE);
  CHECK(device_info<cl_bool>(CL_DEVICE_PIPE_SUPPORT) == CL_TRUE);
  CHECK(device_info<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE) >=
        device_info<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE) / 4);
  // The list with versions is the text.
  std::string names;
  cl_version version = 0;
  for (const cl_name_version& extension : list_info<cl_name_version>(
           clGetDeviceInfo, the_device(), CL_DEVICE_EXTENSIONS_WITH_VERSION)) {
    names += (names.empty() ? "" : " ") + std::string(extension.name);
    if (extension.name == std::string("cl_khr_expect_assume")) version = extension.version;
  }
  CHECK(names == device_text(CL_DEVICE_EXTENSIONS));
  CHECK(version == CL_MAKE_VERSION(1, 0, 0));
}

TEST_CASE("sub-devices") {
  const cl_device_id whole = the_device();
  using Property = cl_device_partition_property;
  const auto threads = device_info<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  const auto count_of = [&](std::vector<Property> list) {
    cl_uint count = 0;
    const cl_int code = clCreateSubDevices(whole, list.data(), 0, nullptr, &count);
    return code == CL_SUCCESS ? static_cast<cl_int>(count) : code;
  };
  CHECK(count_of({CL_DEVICE_PARTITION_EQUALLY, 1, 0}) ==
        (threads > 1 ? static_cast<cl_int>(threads) : CL_DEVICE_PARTITION_FAILED));
  CHECK(count_of({CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}) == 1);
  CHECK(count_of({CL_DEVICE_PARTITION_EQUALLY, threads, 0}) == CL_DEVICE_PARTITION_FAILED);
  CHECK(count_of({CL_DEVICE_PARTITION_EQUALLY, threads + 1, 0}) ==
        CL_INVALID_DEVICE_PARTITION_COUNT);
  CHECK(count_of({CL_DEVICE_PARTITION_BY_COUNTS, threads, 1, 0, 0}) ==
        CL_INVALID_DEVICE_PARTITION_COUNT);

  const std::array<Property, 4> one{CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  Device part;
  REQUIRE(clCreateSubDevices(whole, one.data(), 1, &part, nullptr) == CL_SUCCESS);
  CHECK(device_info<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS, part) == 1);
  CHECK(device_info<cl_device_id>(CL_DEVICE_PARENT_DEVICE, part) == whole);
  CHECK(device_info<std::array<Property, 4>>(CL_DEVICE_PARTITION_TYPE, part) == one);
  CHECK(clRetainDevice(part) == CL_SUCCESS);
  CHECK(device_info<cl_uint>(CL_DEVICE_REFERENCE_COUNT, part) == 2);
  CHECK(clReleaseDevice(part) == CL_SUCCESS);
  const cl_context context = clCreateContext(nullptr, 1, &part, nullptr, nullptr, nullptr);
  REQUIRE(context != nullptr);
  part.drop();  // the context keeps it
  CHECK(clReleaseContext(context) == CL_SUCCESS);

  CHECK(clRetainDevice(whole) == CL_SUCCESS);
  CHECK(clReleaseDevice(whole) == CL_SUCCESS);
  CHECK(clReleaseDevice(whole) == CL_SUCCESS);
  CHECK(device_info<cl_uint>(CL_DEVICE_REFERENCE_COUNT) == 1);
}

TEST_CASE("contexts") {
  using List = std::vector<cl_context_properties>;
  const auto platform = reinterpret_cast<cl_context_properties>(the_platform());
  const List plain{CL_CONTEXT_PLATFORM, platform, 0},
      synced{CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
  const cl_device_id device = the_device();
  for (const List& list : {plain, synced})
    CHECK(error_of([&](cl_int* error) {
            return clCreateContext(list.data(), 1, &device, nullptr, nullptr, error);
          }) == CL_SUCCESS);
  cl_int code = 0;
  Context context =
      clCreateContextFromType(plain.data(), CL_DEVICE_TYPE_ALL, nullptr, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(list_info<cl_context_properties>(clGetContextInfo, context, CL_CONTEXT_PROPERTIES) ==
        plain);
  static int order;
  order = 0;
  const auto first = [](cl_context, void*) { order = order * 10 + 1; };
  const auto second = [](cl_context, void*) { order = order * 10 + 2; };
  CHECK(clSetContextDestructorCallback(context, first, nullptr) == CL_SUCCESS);
  CHECK(clSetContextDestructorCallback(context, second, nullptr) == CL_SUCCESS);
  CHECK(clRetainContext(context) == CL_SUCCESS);
  CHECK(clReleaseContext(context) == CL_SUCCESS);
  CHECK(order == 0);
  context.drop();
  CHECK(order == 21);
}

TEST_CASE("host and device have one clock") {
  cl_ulong device = 0, before = 0, after = 0;
  CHECK(clGetHostTimer(the_device(), &before) == CL_SUCCESS);
  CHECK(clGetDeviceAndHostTimer(the_device(), &device, &after) == CL_SUCCESS);
  CHECK(before <= device);
  CHECK(device <= after);
}

}  // namespace
}  // namespace transpire::test::devices_tests
