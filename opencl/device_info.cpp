// clGetDeviceInfo.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "opencl/device.h"
#include "opencl/device_queues.h"
#include "opencl/entry_point.h"
#include "opencl/extensions.h"
#include "opencl/image.h"
#include "opencl/newer_names.h"
#include "opencl/pipe.h"
#include "opencl/platform.h"

namespace transpire::opencl {
namespace {

/// Properties of queues on the host and on the device.
constexpr cl_command_queue_properties kQueueProperties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

std::string spell(cl_version version) {
  return fmt::format("{}.{}", CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version));
}

std::vector<cl_name_version> intermediate_languages() {
  std::vector<cl_name_version> list;
  for (cl_uint minor = 0; minor <= 6; ++minor)
    list.push_back(named("SPIR-V", CL_MAKE_VERSION(1, minor, 0)));
  return list;
}

std::vector<cl_name_version> opencl_c_versions() {
  std::vector<cl_name_version> list;
  const auto add = [&list](cl_uint major, cl_uint minor) {
    list.push_back(named("OpenCL C", CL_MAKE_VERSION(major, minor, 0)));
  };
  for (cl_uint minor = 0; minor <= 2; ++minor) add(1, minor);
  const cl_uint major = CL_VERSION_MAJOR(environment().version);
  if (major >= 2) add(2, 0);
  if (major >= 3) add(3, 0);
  return list;
}

/// The value of the first line "key : value" in a file of the operating system's.
std::string value_in(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != line.npos) return line.substr(colon + 2);
  }
  return {};
}

std::string device_name(const _cl_device_id& device) {
  std::string machine = value_in("/proc/cpuinfo", "model name");
  if (machine.empty()) machine = "CPU";
  return fmt::format("Transpire on {} ({})", machine, device.device.isa());
}

cl_uint clock_mhz() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  double khz = 0;
  if (file >> khz) return static_cast<cl_uint>(khz / 1000);
  return static_cast<cl_uint>(std::strtod(value_in("/proc/cpuinfo", "cpu MHz").c_str(), nullptr));
}

std::size_t cache_bytes() {
  long bytes = 0;
  for (const int name : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (bytes <= 0) bytes = sysconf(name);
  return static_cast<std::size_t>(std::max(bytes, 0l));
}

bool tell_identity(const _cl_device_id& device, cl_device_info name, const Answer& answer) {
  const std::string version = spell(environment().version);
  switch (name) {
    case CL_DEVICE_TYPE:
      return answer.give<cl_device_type>(CL_DEVICE_TYPE_CPU), true;
    case CL_DEVICE_VENDOR_ID:
      return answer.give<cl_uint>(0), true;
    case CL_DEVICE_NAME:
      return answer.give_text(device_name(device)), true;
    case CL_DEVICE_VENDOR:
      return answer.give_text("Transpire"), true;
    case CL_DRIVER_VERSION:
      return answer.give_text(transpire::version()), true;
    case CL_DEVICE_PROFILE:
      return answer.give_text("FULL_PROFILE"), true;
    case CL_DEVICE_VERSION:
      return answer.give_text(fmt::format("OpenCL {} Transpire", version)), true;
    case CL_DEVICE_NUMERIC_VERSION:
      return answer.give(environment().version), true;
    case CL_DEVICE_PLATFORM:
      return answer.give<cl_platform_id>(&platform()), true;
    case CL_DEVICE_REFERENCE_COUNT:
    case CL_DEVICE_REFERENCE_COUNT_EXT:
      return answer.give<cl_uint>(device.is_root() ? 1 : device.references()), true;
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      return answer.give<cl_bool>(CL_TRUE), true;
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
      return answer.give<cl_bool>(CL_FALSE), true;
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
      return answer.give_text("v0000-01-01-00"), true;  // the version when none was passed
    case CL_DEVICE_EXTENSIONS:
      return answer.give_text(extension_names()), true;
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
      return answer.give_list(extensions()), true;
  }
  return false;
}

bool tell_languages(cl_device_info name, const Answer& answer) {
  // OpenCL C 2.0 and 3.0 are there in full: the newest is compatible with those before it.
  const cl_version newest = opencl_c_versions().back().version;
  switch (name) {
    case CL_DEVICE_COMPILER_AVAILABLE:
      return answer.give<cl_bool>(can_compile_source()), true;
    case CL_DEVICE_LINKER_AVAILABLE:
      return answer.give<cl_bool>(CL_TRUE), true;
    case CL_DEVICE_OPENCL_C_VERSION:
      return answer.give_text(fmt::format("OpenCL C {} Transpire", spell(newest))), true;
    case CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR:
      return answer.give(newest), true;
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
      return answer.give_list(opencl_c_versions()), true;
    case CL_DEVICE_OPENCL_C_FEATURES:
      return answer.give_list(opencl_c_features()), true;
    case CL_DEVICE_IL_VERSION: {
      std::string text;
      for (const cl_name_version& language : intermediate_languages())
        text +=
            fmt::format("{}{}_{}", text.empty() ? "" : " ", language.name, spell(language.version));
      return answer.give_text(text), true;
    }
    case CL_DEVICE_ILS_WITH_VERSION:
      return answer.give_list(intermediate_languages()), true;
    case CL_DEVICE_BUILT_IN_KERNELS:
      return answer.give_text(""), true;
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
      return answer.give_bytes(nullptr, 0), true;
  }
  return false;
}

bool tell_execution(const _cl_device_id& device, cl_device_info name, const Answer& answer) {
  constexpr std::size_t kItems = kMaxGroupItems;
  switch (name) {
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return answer.give<cl_uint>(device.device.threads()), true;
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return answer.give<cl_uint>(3), true;
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return answer.give(std::array<std::size_t, 3>{kItems, kItems, kItems}), true;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return answer.give(kItems), true;
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return answer.give<std::size_t>(device.device.lanes()), true;
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
      return answer.give(clock_mhz()), true;
    case CL_DEVICE_ADDRESS_BITS:
      return answer.give<cl_uint>(64), true;
    case CL_DEVICE_EXECUTION_CAPABILITIES:
      return answer.give<cl_device_exec_capabilities>(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL), true;
    case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
      return answer.give(kQueueProperties), true;
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
      return answer.give<std::size_t>(1), true;
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
      return answer.give<cl_bool>(CL_TRUE), true;
    case CL_DEVICE_PRINTF_BUFFER_SIZE:
      return answer.give<std::size_t>(Limits{}.max_printf_bytes), true;
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
      return answer.give<cl_bool>(CL_TRUE), true;
    // Work-items are lanes already: kernels gain nothing by vectors.
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
      return answer.give<cl_uint>(1), true;
  }
  return false;
}

bool tell_groups(cl_device_info name, const Answer& answer) {
  switch (name) {
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
      return answer.give<cl_bool>(CL_TRUE), true;
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
      return answer.give<cl_uint>(kMaxGroupItems / kSubgroupSizes.front()), true;
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
      return answer.give<cl_bool>(CL_TRUE), true;
    case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
      return answer.give(kSubgroupSizes), true;
    case CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR:
      return answer.give<cl_device_kernel_clock_capabilities_khr>(
                 CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR |
                 CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR |
                 CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR),
             true;
  }
  return false;
}

bool tell_memory(cl_device_info name, const Answer& answer) {
  switch (name) {
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return answer.give<cl_ulong>(global_memory_bytes()), true;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
      return answer.give<cl_ulong>(max_alloc_bytes()), true;
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
      return answer.give<cl_device_mem_cache_type>(CL_READ_WRITE_CACHE), true;
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
      return answer.give<cl_uint>(64), true;
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
      return answer.give<cl_ulong>(cache_bytes()), true;
    case CL_DEVICE_MAX_CONSTANT_ARGS:
      return answer.give<cl_uint>(kMaxParameterBytes / 8), true;
    case CL_DEVICE_MAX_PARAMETER_SIZE:
      return answer.give(kMaxParameterBytes), true;
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return answer.give<cl_device_local_mem_type>(CL_GLOBAL), true;
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return answer.give<cl_ulong>(kLocalMemoryBytes), true;
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
      return answer.give<cl_uint>(kMemBaseAlignBytes * 8), true;
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
      return answer.give<cl_uint>(kMemBaseAlignBytes), true;
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
      return answer.give<std::size_t>(std::size_t{1} << 30), true;
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
      return answer.give<cl_bool>(CL_TRUE), true;
    case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
      return answer.give<cl_uint>(0), true;  // 0: the type's own alignment
    case CL_DEVICE_SVM_CAPABILITIES:
      return answer.give<cl_device_svm_capabilities>(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                                     CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                                     CL_DEVICE_SVM_ATOMICS),
             true;
  }
  return false;
}

/// Answers a query about one type of cl_ext_float_atomics.
bool tell_float_atomics(bool can_add, const Answer& answer) {
  cl_device_fp_atomic_capabilities_ext bits =
      CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |
      CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT;
  if (can_add) bits |= CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT;
  return answer.give(bits), true;
}

bool tell_arithmetic(cl_device_info name, const Answer& answer) {
  constexpr cl_device_fp_config kFloat = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                         CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
  constexpr cl_device_atomic_capabilities kAtomics =
      CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
      CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
      CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  switch (name) {
    case CL_DEVICE_SINGLE_FP_CONFIG:
      return answer.give<cl_device_fp_config>(kFloat | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT), true;
    case CL_DEVICE_DOUBLE_FP_CONFIG:
    case CL_DEVICE_HALF_FP_CONFIG:
      return answer.give<cl_device_fp_config>(kFloat), true;
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
      return answer.give(kAtomics), true;
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
      return answer.give<cl_device_atomic_capabilities>(kAtomics |
                                                        CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM),
             true;
    case CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT:
    case CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT:
      return tell_float_atomics(true, answer);
    case CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT:
      return tell_float_atomics(false, answer);
    case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:
      return answer.give<cl_device_integer_dot_product_capabilities_khr>(
                 CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                 CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR),
             true;
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
      // As fast as separate multiplications and additions.
      return answer.give(cl_device_integer_dot_product_acceleration_properties_khr{}), true;
  }
  return false;
}

bool tell_partition(const _cl_device_id& device, cl_device_info name, const Answer& answer) {
  using Property = cl_device_partition_property;
  using PropertyExt = cl_device_partition_property_ext;
  const bool divisible = device.device.threads() > 1;
  switch (name) {
    case CL_DEVICE_PARENT_DEVICE:
    case CL_DEVICE_PARENT_DEVICE_EXT:
      return answer.give<cl_device_id>(device.parent.get()), true;
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
      return answer.give<cl_uint>(divisible ? device.device.threads() : 0), true;
    case CL_DEVICE_PARTITION_PROPERTIES:
      if (!divisible) return answer.give<Property>(0), true;
      return answer.give(std::array<Property, 2>{CL_DEVICE_PARTITION_EQUALLY,
                                                 CL_DEVICE_PARTITION_BY_COUNTS}),
             true;
    case CL_DEVICE_PARTITION_TYPES_EXT:
      if (!divisible) return answer.give<PropertyExt>(0), true;
      return answer.give(std::array<PropertyExt, 2>{CL_DEVICE_PARTITION_EQUALLY_EXT,
                                                    CL_DEVICE_PARTITION_BY_COUNTS_EXT}),
             true;
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
      return answer.give<cl_device_affinity_domain>(0), true;
    case CL_DEVICE_AFFINITY_DOMAINS_EXT:
      return answer.give_bytes(nullptr, 0), true;
    case CL_DEVICE_PARTITION_TYPE:
      return answer.give_list(device.partition), true;
    case CL_DEVICE_PARTITION_STYLE_EXT: {
      std::vector<PropertyExt> style(device.partition.begin(), device.partition.end());
      if (!style.empty())
        style[0] = style[0] == CL_DEVICE_PARTITION_EQUALLY ? CL_DEVICE_PARTITION_EQUALLY_EXT
                                                           : CL_DEVICE_PARTITION_BY_COUNTS_EXT;
      return answer.give_list(style), true;
    }
  }
  return false;
}

bool tell_images(cl_device_info name, const Answer& answer) {
  switch (name) {
    case CL_DEVICE_IMAGE_SUPPORT:
      return answer.give<cl_bool>(CL_TRUE), true;
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
      return answer.give(kMaxImageArguments), true;
    case CL_DEVICE_MAX_SAMPLERS:
      return answer.give(kMaxSamplers), true;
    case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
      return answer.give(kImagePitchAlignment), true;
    case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
      return answer.give(kImageBaseAlignment), true;
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
      return answer.give(kMaxImage2DSide), true;
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
      return answer.give(kMaxImage3DSide), true;
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
      return answer.give(kMaxImageBufferTexels), true;
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
      return answer.give(kMaxImageLayers), true;
  }
  return false;
}

bool tell_pipes(cl_device_info name, const Answer& answer) {
  switch (name) {
    case CL_DEVICE_PIPE_SUPPORT:
      return answer.give<cl_bool>(CL_TRUE), true;
    case CL_DEVICE_MAX_PIPE_ARGS:
      return answer.give(kMaxPipeArguments), true;
    case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
      return answer.give(kMaxPipeReservations), true;
    case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
      return answer.give(kMaxPipePacketBytes), true;
  }
  return false;
}

bool tell_device_queues(cl_device_info name, const Answer& answer) {
  switch (name) {
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
      return answer.give(kQueueProperties), true;
    case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
      return answer.give(kPreferredDeviceQueueBytes), true;
    case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
      return answer.give(static_cast<cl_uint>(DeviceQueue::kMaxBytes)), true;
    case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
      return answer.give(static_cast<cl_uint>(kMaxDeviceQueues)), true;
    case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
      return answer.give(kMaxDeviceEvents), true;
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
      return answer.give<cl_device_device_enqueue_capabilities>(
                 CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT),
             true;
  }
  return false;
}

}  // namespace

}  // namespace transpire::opencl

using namespace transpire::opencl;

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info name, std::size_t size,
                                   void* value, std::size_t* size_ret) {
  return guarded([&] {
    check_object(device, CL_INVALID_DEVICE);
    const Answer answer{size, value, size_ret};
    const bool told = tell_identity(*device, name, answer) || tell_languages(name, answer) ||
                      tell_execution(*device, name, answer) || tell_groups(name, answer) ||
                      tell_memory(name, answer) || tell_arithmetic(name, answer) ||
                      tell_partition(*device, name, answer) || tell_images(name, answer) ||
                      tell_pipes(name, answer) || tell_device_queues(name, answer);
    check(told, CL_INVALID_VALUE);
  });
}
