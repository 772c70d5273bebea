// See source_prologue.h.
#include "compiler/source_prologue.h"

#include <fmt/format.h>

#include <algorithm>

namespace transpire::compiler {
namespace {

bool is_before_2(const Language& language) { return language.standard.starts_with("CL1"); }

/// True for OpenCL C 1.0 and 1.1, which lack static functions, in which built-in functions are
/// written.
bool is_before_12(const Language& language) {
  return language.standard == "CL1.0" || language.standard == "CL1.1";
}

bool has(const Language& language, std::string_view extension) {
  return std::find(language.extensions.begin(), language.extensions.end(), extension) !=
         language.extensions.end();
}

/// Features of cl_ext_float_atomics. Adding to a half is missing because the translator cannot do
/// it.
std::vector<std::string> float_atomic_features(bool there) {
  std::vector<std::string> list;
  for (const char* type : {"fp16", "fp32", "fp64"})
    for (const char* space : {"global", "local"})
      for (const std::string_view what : {"load_store", "add", "min_max"}) {
        const bool is_half = type == std::string_view("fp16");
        const bool has = what == "add" ? !is_half : what == "min_max" || is_half;
        if (has == there)
          list.push_back(fmt::format("__opencl_c_ext_{}_{}_atomic_{}", type, space, what));
      }
  return list;
}

/// Clang 15's header lacks this type of channels.
constexpr const char* kChannelType =
    "#ifndef CLK_UNORM_INT_101010_2\n#define CLK_UNORM_INT_101010_2 0x10E0\n#endif\n";

/// Clang 15's header makes null handles by conversions of integers, which SPIR-V has for pointers
/// only.
constexpr std::string_view kNullHandles = R"(
#undef CLK_NULL_EVENT
#define CLK_NULL_EVENT (__builtin_astype((__private void*)0, clk_event_t))
#undef CLK_NULL_RESERVE_ID
#define CLK_NULL_RESERVE_ID (__builtin_astype((__private void*)0, reserve_id_t))
)";

std::string macros(const Language& language) {
  std::string text = kChannelType;
  const auto define = [&text](std::string_view name) {
    text += fmt::format("#define {} 1\n", name);
  };
  const auto undefine = [&text](std::string_view name) {
    text += fmt::format("#undef {}\n", name);
  };
  for (const std::string& name : language.extensions)
    // Clang defines these itself, for the versions of the language that have them.
    if (name != "cl_intel_subgroups" && name != "cl_intel_subgroups_short" &&
        name != "cl_ext_float_atomics" && !name.starts_with("cl_khr_mipmap_image"))
      define(name);
  if (is_before_12(language)) return text + "#undef cl_khr_integer_dot_product\n";
  define("__opencl_c_integer_dot_product_input_4x8bit");
  define("__opencl_c_integer_dot_product_input_4x8bit_packed");
  if (has(language, "cl_khr_kernel_clock"))
    for (const char* scope : {"device", "work_group", "sub_group"})
      define(fmt::format("__opencl_c_kernel_clock_scope_{}", scope));
  if (is_before_2(language)) return text;
  // Clang's header defines these for every SPIR target, but not in all its versions.
  for (const char* feature : {"atomic_order_seq_cst", "atomic_scope_device",
                              "atomic_scope_all_devices", "work_group_collective_functions"})
    define(fmt::format("__opencl_c_{}", feature));
  // Clang's header defines these for every SPIR target.
  for (const char* name : {"cl_khr_subgroup_extended_types", "cl_khr_subgroup_non_uniform_vote",
                           "cl_khr_subgroup_ballot", "cl_khr_subgroup_non_uniform_arithmetic",
                           "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
                           "cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_rotate"})
    if (!has(language, name)) undefine(name);
  if (has(language, "cl_ext_float_atomics")) define("cl_ext_float_atomics");
  for (const std::string& name : float_atomic_features(true)) define(name);
  for (const std::string& name : float_atomic_features(false)) undefine(name);
  return text.append(kNullHandles);
}

/// cl_khr_integer_dot_product: vectors packed in integers.
constexpr std::string_view kPackedDotProducts = R"(
#define __tsp_dot(name, op, type) \
  type __attribute__((overloadable)) __spirv_##op##KHR(uint, uint, int); \
  type __attribute__((overloadable)) __spirv_##op##AccSatKHR(uint, uint, type, int); \
  static inline __attribute__((always_inline)) type dot_4x8packed_##name##_##type(uint a, uint b) { \
    return __spirv_##op##KHR(a, b, 0); \
  } \
  static inline __attribute__((always_inline)) type dot_acc_sat_4x8packed_##name##_##type( \
      uint a, uint b, type c) { \
    return __spirv_##op##AccSatKHR(a, b, c, 0); \
  }
__tsp_dot(uu, UDot, uint)
__tsp_dot(ss, SDot, int)
__tsp_dot(su, SUDot, int)
static inline __attribute__((always_inline)) int dot_4x8packed_us_int(uint a, uint b) {
  return dot_4x8packed_su_int(b, a);
}
static inline __attribute__((always_inline)) int dot_acc_sat_4x8packed_us_int(uint a, uint b, int c) {
  return dot_acc_sat_4x8packed_su_int(b, a, c);
}
#undef __tsp_dot
)";

/// cl_khr_work_group_uniform_arithmetic.
constexpr std::string_view kWorkGroupArithmetic = R"(
#define __tsp_declared __attribute__((overloadable, convergent))
#define __tsp_inline static inline __attribute__((overloadable, convergent, always_inline))
#define __tsp_mul(type) \
  type __tsp_declared work_group_reduce_mul(type); \
  type __tsp_declared work_group_scan_inclusive_mul(type); \
  type __tsp_declared work_group_scan_exclusive_mul(type);
#define __tsp_group(name, op, type, operand) \
  operand __tsp_declared __spirv_Group##op##KHR(int, int, operand); \
  __tsp_inline type work_group_reduce_##name(type x) { \
    return __spirv_Group##op##KHR(2, 0, (operand)x); \
  } \
  __tsp_inline type work_group_scan_inclusive_##name(type x) { \
    return __spirv_Group##op##KHR(2, 1, (operand)x); \
  } \
  __tsp_inline type work_group_scan_exclusive_##name(type x) { \
    return __spirv_Group##op##KHR(2, 2, (operand)x); \
  }
#define __tsp_bits(type) \
  __tsp_mul(type) \
  __tsp_group(and, BitwiseAnd, type, type) \
  __tsp_group(or, BitwiseOr, type, type) \
  __tsp_group(xor, BitwiseXor, type, type)
__tsp_bits(int) __tsp_bits(uint) __tsp_bits(long) __tsp_bits(ulong)
__tsp_mul(half) __tsp_mul(float) __tsp_mul(double)
__tsp_group(logical_and, LogicalAnd, int, bool)
__tsp_group(logical_or, LogicalOr, int, bool)
__tsp_group(logical_xor, LogicalXor, int, bool)
#undef __tsp_bits
#undef __tsp_group
#undef __tsp_mul
#undef __tsp_inline
#undef __tsp_declared
)";

/// cl_intel_subgroups, its extensions for other types if they are announced, and
/// cl_intel_subgroup_local_block_io.
constexpr std::string_view kIntelSubgroups = R"(
#ifdef cl_intel_subgroups
#define __tsp_declared __attribute__((overloadable, convergent))
#define __tsp_shuffle(type) \
  type __tsp_declared intel_sub_group_shuffle(type, uint); \
  type __tsp_declared intel_sub_group_shuffle_down(type, type, uint); \
  type __tsp_declared intel_sub_group_shuffle_up(type, type, uint); \
  type __tsp_declared intel_sub_group_shuffle_xor(type, uint);
#define __tsp_shuffles(type) \
  __tsp_shuffle(type) __tsp_shuffle(type##2) __tsp_shuffle(type##3) __tsp_shuffle(type##4) \
  __tsp_shuffle(type##8) __tsp_shuffle(type##16)
#define __tsp_block_in(space, suffix, type, n) \
  type##n __tsp_declared intel_sub_group_block_read##suffix##n(const space type*); \
  void __tsp_declared intel_sub_group_block_write##suffix##n(space type*, type##n);
#define __tsp_block_image(suffix, type, n) \
  type##n __tsp_declared intel_sub_group_block_read##suffix##n(read_only image2d_t, int2); \
  void __tsp_declared intel_sub_group_block_write##suffix##n(write_only image2d_t, int2, type##n); \
  __tsp_block_image_both(suffix, type, n)
#if __OPENCL_C_VERSION__ == 200 || defined(__opencl_c_read_write_images)
#define __tsp_block_image_both(suffix, type, n) \
  type##n __tsp_declared intel_sub_group_block_read##suffix##n(read_write image2d_t, int2); \
  void __tsp_declared intel_sub_group_block_write##suffix##n(read_write image2d_t, int2, type##n);
#else
#define __tsp_block_image_both(suffix, type, n)
#endif
#define __tsp_block(suffix, type, n) \
  __tsp_block_in(__global, suffix, type, n) __tsp_block_in_local(suffix, type, n) \
  __tsp_block_image(suffix, type, n)
#define __tsp_blocks(suffix, type) \
  __tsp_block(suffix, type, ) __tsp_block(suffix, type, 2) __tsp_block(suffix, type, 4) \
  __tsp_block(suffix, type, 8)
#ifdef cl_intel_subgroup_local_block_io
#define __tsp_block_in_local(suffix, type, n) __tsp_block_in(__local, suffix, type, n)
#else
#define __tsp_block_in_local(suffix, type, n)
#endif
__tsp_shuffles(int) __tsp_shuffles(uint) __tsp_shuffles(float)
__tsp_shuffle(long) __tsp_shuffle(ulong) __tsp_shuffle(half) __tsp_shuffle(double)
__tsp_blocks(, uint)
#ifdef cl_intel_subgroups_char
__tsp_shuffles(char) __tsp_shuffles(uchar)
__tsp_blocks(_uc, uchar) __tsp_block(_uc, uchar, 16)
#endif
#ifdef cl_intel_subgroups_short
__tsp_shuffles(short) __tsp_shuffles(ushort)
__tsp_blocks(_us, ushort)
__tsp_blocks(_ui, uint)
#define intel_sub_group_broadcast sub_group_broadcast
#define intel_sub_group_reduce_add sub_group_reduce_add
#define intel_sub_group_reduce_min sub_group_reduce_min
#define intel_sub_group_reduce_max sub_group_reduce_max
#define intel_sub_group_scan_exclusive_add sub_group_scan_exclusive_add
#define intel_sub_group_scan_exclusive_min sub_group_scan_exclusive_min
#define intel_sub_group_scan_exclusive_max sub_group_scan_exclusive_max
#define intel_sub_group_scan_inclusive_add sub_group_scan_inclusive_add
#define intel_sub_group_scan_inclusive_min sub_group_scan_inclusive_min
#define intel_sub_group_scan_inclusive_max sub_group_scan_inclusive_max
#endif
#ifdef cl_intel_subgroups_long
__tsp_blocks(_ul, ulong)
#endif
#undef __tsp_block_in_local
#undef __tsp_block_image
#undef __tsp_block_image_both
#undef __tsp_blocks
#undef __tsp_block
#undef __tsp_block_in
#undef __tsp_shuffles
#undef __tsp_shuffle
#undef __tsp_declared
#endif
)";

/// Clang 14 declares functions of sub-groups only with cl_khr_subgroups, which devices of OpenCL
/// 1.2 do not announce.
constexpr std::string_view kSubgroupsOfClang14 = R"(
#if __clang_major__ < 15 && !defined cl_khr_subgroups
#define __tsp_declared __attribute__((overloadable, convergent))
uint __attribute__((overloadable)) get_sub_group_size(void);
uint __attribute__((overloadable)) get_max_sub_group_size(void);
uint __attribute__((overloadable)) get_num_sub_groups(void);
uint __attribute__((overloadable)) get_enqueued_num_sub_groups(void);
uint __attribute__((overloadable)) get_sub_group_id(void);
uint __attribute__((overloadable)) get_sub_group_local_id(void);
void __tsp_declared sub_group_barrier(cl_mem_fence_flags);
#if __OPENCL_C_VERSION__ >= 200
void __tsp_declared sub_group_barrier(cl_mem_fence_flags, memory_scope);
#endif
int __tsp_declared sub_group_all(int);
int __tsp_declared sub_group_any(int);
#define __tsp_reduced(type, op) \
  type __tsp_declared sub_group_reduce_##op(type); \
  type __tsp_declared sub_group_scan_exclusive_##op(type); \
  type __tsp_declared sub_group_scan_inclusive_##op(type);
#define __tsp_broadcast(type) type __tsp_declared sub_group_broadcast(type, uint);
#define __tsp_group(type) \
  __tsp_broadcast(type) __tsp_broadcast(type##2) __tsp_broadcast(type##3) \
  __tsp_broadcast(type##4) __tsp_broadcast(type##8) __tsp_broadcast(type##16) \
  __tsp_reduced(type, add) __tsp_reduced(type, min) __tsp_reduced(type, max)
__tsp_group(char) __tsp_group(uchar) __tsp_group(short) __tsp_group(ushort)
__tsp_group(int) __tsp_group(uint) __tsp_group(long) __tsp_group(ulong)
__tsp_group(half) __tsp_group(float) __tsp_group(double)
#undef __tsp_group
#undef __tsp_broadcast
#undef __tsp_reduced
#undef __tsp_declared
#endif
)";

/// cl_khr_kernel_clock.
constexpr std::string_view kClocks = R"(
ulong __attribute__((overloadable)) __spirv_ReadClockKHR(int);
#define __tsp_clock(name, scope) \
  static inline __attribute__((always_inline)) ulong clock_read_##name(void) { \
    return __spirv_ReadClockKHR(scope); \
  } \
  static inline __attribute__((always_inline)) uint2 clock_read_hilo_##name(void) { \
    return as_uint2(__spirv_ReadClockKHR(scope)); \
  }
__tsp_clock(device, 1)
__tsp_clock(work_group, 2)
__tsp_clock(sub_group, 3)
#undef __tsp_clock
)";

/// The functions that the source may use and clang does not declare.
std::string functions(const Language& language, const std::vector<std::string>& options,
                      std::string_view source) {
  if (is_before_12(language)) return {};
  // Declarations take half as much time as the rest of a small source. An option's macro may name
  // them, and a header may use all of them.
  const std::string words = fmt::format("{} {}", source, fmt::join(options, " "));
  const auto uses = [&words](std::string_view part_of_name) {
    return words.find(part_of_name) != words.npos || words.find("include") != words.npos;
  };
  std::string list;
  if (uses("4x8packed")) list += kPackedDotProducts;
  if ((uses("work_group_reduce") || uses("work_group_scan")) && !is_before_2(language) &&
      has(language, "cl_khr_work_group_uniform_arithmetic"))
    list += kWorkGroupArithmetic;
  if (uses("sub_group") && has(language, "cl_intel_subgroups")) list += kSubgroupsOfClang14;
  if (uses("intel_sub_group")) list += kIntelSubgroups;
  if (uses("clock_read") && has(language, "cl_khr_kernel_clock")) list += kClocks;
  if (list.empty()) return list;
  return "#line 1 \"<built-in functions>\"\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable" + list +
         "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n";
}

/// The extensions whose functions are declared above because clang lacks them.
constexpr const char* kBrought[] = {"cl_intel_subgroups",
                                    "cl_intel_subgroups_char",
                                    "cl_intel_subgroups_short",
                                    "cl_intel_subgroups_long",
                                    "cl_intel_subgroup_local_block_io",
                                    "cl_khr_work_group_uniform_arithmetic",
                                    "cl_khr_kernel_clock"};

/// The value of clang's -cl-std, with capital letters for OpenCL C.
std::string standard_of(const std::vector<std::string>& options) {
  constexpr std::string_view kOption = "-cl-std=";
  std::string standard = "CL1.2";
  for (const std::string& option : options)
    if (option.starts_with(kOption)) standard = option.substr(kOption.size());
  if (standard.starts_with("cl") && !standard.starts_with("clc")) standard.replace(0, 2, "CL");
  return standard;
}

}  // namespace

std::vector<std::string> language_options(const Language& language) {
  std::string list = "-cl-ext=-all";
  for (const std::string& extension : language.extensions) list += fmt::format(",+{}", extension);
  for (const char* feature :
       {"__opencl_c_fp64", "__opencl_c_int64", "__opencl_c_generic_address_space",
        "__opencl_c_program_scope_global_variables", "__opencl_c_atomic_order_acq_rel",
        "__opencl_c_subgroups", "__opencl_c_images", "__opencl_c_3d_image_writes",
        "__opencl_c_read_write_images", "__opencl_c_pipes", "__opencl_c_device_enqueue"})
    list += fmt::format(",+{}", feature);
  return {"-cl-std=" + language.standard, "-Xclang", list,
          fmt::format("-D__OPENCL_VERSION__={}{}0", language.major, language.minor)};
}

std::string language_prologue(const Language& language, const std::vector<std::string>& options,
                              std::string_view source) {
  return macros(language) + functions(language, options, source);
}

std::string common_prologue(const std::vector<std::string>& options, std::string_view source) {
  const Language language{standard_of(options), 3, 0,
                          std::vector<std::string>(std::begin(kBrought), std::end(kBrought))};
  if (!language.standard.starts_with("CL")) return {};
  const std::string declared = functions(language, options, source);
  std::string text = source.find("CLK_UNORM_INT_101010_2") == source.npos ? "" : kChannelType;
  // A header may have them.
  const bool may_use_nulls =
      source.find("CLK_NULL_") != source.npos || source.find("include") != source.npos;
  if (!is_before_2(language) && may_use_nulls) text += kNullHandles;
  if (declared.empty() && source.find("cl_") == source.npos) return text;
  for (const std::string& name : language.extensions)
    text += fmt::format("#ifndef {0}\n#define {0} 1\n#endif\n", name);
  return text + declared;
}

}  // namespace transpire::compiler
