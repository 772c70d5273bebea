// The extensions and the optional features of OpenCL C that the device announces, by the version of
// OpenCL that it presents. Only extensions that work completely, from source and from IL, are
// announced. Sub-groups make progress independently (scheduler/turns.h), as cl_khr_subgroups
// promises.
#include "opencl/extensions.h"

#include <fmt/format.h>

#include <algorithm>

#include "opencl/platform.h"

namespace transpire::opencl {
namespace {

constexpr cl_version kVersion10 = CL_MAKE_VERSION(1, 0, 0);
constexpr cl_version kVersion12 = CL_MAKE_VERSION(1, 2, 0), kVersion20 = CL_MAKE_VERSION(2, 0, 0),
                     kVersion21 = CL_MAKE_VERSION(2, 1, 0), kVersion30 = CL_MAKE_VERSION(3, 0, 0);

struct Extension {
  std::string_view name;
  cl_version since = kVersion12;  ///< the oldest version of OpenCL that it is announced with
  bool in_language = false;       ///< it is a macro of OpenCL C
  cl_version version = kVersion10;
};

/// Extensions of sub-groups need the core's sub-groups, which came with 2.1. cl_intel_subgroups
/// brings its own.
constexpr Extension kExtensions[] = {
    {"cl_khr_icd"},
    {"cl_khr_extended_versioning"},
    {"cl_khr_il_program"},
    {"cl_khr_create_command_queue"},
    {"cl_khr_byte_addressable_store", kVersion12, true},
    {"cl_khr_fp16", kVersion12, true},
    {"cl_khr_fp64", kVersion12, true},
    {"cl_khr_global_int32_base_atomics", kVersion12, true},
    {"cl_khr_global_int32_extended_atomics", kVersion12, true},
    {"cl_khr_local_int32_base_atomics", kVersion12, true},
    {"cl_khr_local_int32_extended_atomics", kVersion12, true},
    {"cl_khr_int64_base_atomics", kVersion12, true},
    {"cl_khr_int64_extended_atomics", kVersion12, true},
    {"cl_khr_extended_bit_ops", kVersion12, true},
    {"cl_khr_expect_assume", kVersion12, true},
    {"cl_khr_integer_dot_product", kVersion12, true, kVersion20},
    {"cl_khr_3d_image_writes", kVersion12, true},
    {"cl_khr_depth_images", kVersion12, true},
    {"cl_khr_image2d_from_buffer", kVersion12, true},
    {"cl_khr_srgb_image_writes", kVersion20, true},
    {"cl_khr_mipmap_image", kVersion20, true},
    {"cl_khr_mipmap_image_writes", kVersion20, true},
    {"cl_khr_work_group_uniform_arithmetic", kVersion20, true},
    {"cl_khr_subgroups", kVersion20, true},
    {"cl_khr_subgroup_extended_types", kVersion21, true},
    {"cl_khr_subgroup_non_uniform_vote", kVersion21, true},
    {"cl_khr_subgroup_ballot", kVersion21, true},
    {"cl_khr_subgroup_non_uniform_arithmetic", kVersion21, true},
    {"cl_khr_subgroup_shuffle", kVersion21, true},
    {"cl_khr_subgroup_shuffle_relative", kVersion21, true},
    {"cl_khr_subgroup_clustered_reduce", kVersion21, true},
    {"cl_khr_subgroup_rotate", kVersion21, true},
    {"cl_khr_kernel_clock", kVersion21, true},
    {"cl_khr_suggested_local_work_size"},
    {"cl_khr_spirv_no_integer_wrap_decoration"},
    {"cl_khr_spirv_linkonce_odr"},
    {"cl_ext_device_fission"},
    {"cl_ext_float_atomics", kVersion20, true},
    {"cl_intel_subgroups", kVersion12, true},
    {"cl_intel_subgroups_char", kVersion21, true},
    {"cl_intel_subgroups_short", kVersion21, true},
    {"cl_intel_subgroups_long", kVersion21, true},
    {"cl_intel_subgroup_local_block_io", kVersion21, true},
    {"cl_intel_required_subgroup_size", kVersion12, true},
};

bool is_announced(const Extension& extension) { return environment().version >= extension.since; }

}  // namespace

cl_name_version named(std::string_view name, cl_version version) {
  cl_name_version entry{};
  entry.version = version;
  name.copy(entry.name, sizeof entry.name - 1);
  return entry;
}

std::vector<cl_name_version> extensions() {
  std::vector<cl_name_version> list;
  for (const Extension& extension : kExtensions)
    if (is_announced(extension)) list.push_back(named(extension.name, extension.version));
  return list;
}

std::string extension_names() {
  std::string text;
  for (const cl_name_version& extension : extensions())
    text += fmt::format("{}{}", text.empty() ? "" : " ", extension.name);
  return text;
}

bool announces(std::string_view name) {
  return std::ranges::any_of(kExtensions, [name](const Extension& extension) {
    return extension.name == name && is_announced(extension);
  });
}

std::vector<std::string> language_extensions() {
  std::vector<std::string> list;
  for (const Extension& extension : kExtensions)
    if (extension.in_language && is_announced(extension)) list.emplace_back(extension.name);
  return list;
}

std::vector<cl_name_version> opencl_c_features() {
  std::vector<cl_name_version> list;
  for (const char* feature : {"__opencl_c_3d_image_writes",
                              "__opencl_c_atomic_order_acq_rel",
                              "__opencl_c_atomic_order_seq_cst",
                              "__opencl_c_atomic_scope_device",
                              "__opencl_c_atomic_scope_all_devices",
                              "__opencl_c_device_enqueue",
                              "__opencl_c_fp64",
                              "__opencl_c_generic_address_space",
                              "__opencl_c_images",
                              "__opencl_c_int64",
                              "__opencl_c_integer_dot_product_input_4x8bit",
                              "__opencl_c_integer_dot_product_input_4x8bit_packed",
                              "__opencl_c_kernel_clock_scope_device",
                              "__opencl_c_kernel_clock_scope_sub_group",
                              "__opencl_c_kernel_clock_scope_work_group",
                              "__opencl_c_pipes",
                              "__opencl_c_program_scope_global_variables",
                              "__opencl_c_read_write_images",
                              "__opencl_c_subgroups",
                              "__opencl_c_work_group_collective_functions"})
    list.push_back(named(feature, kVersion30));
  return list;
}

}  // namespace transpire::opencl
