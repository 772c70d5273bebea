// Work-groups and sub-groups, and the other extensions that kernels use: what is announced of them,
// and that every function runs, from source and from the SPIR-V of it.
#include <algorithm>
#include <numeric>
#include <sstream>

#include "tests/opencl/support.h"

namespace transpire::test::groups_tests {
namespace {

using Ints = std::vector<cl_int>;

/// Runs the kernel with `data` as its only argument; gives what it leaves there.
Ints run(const Host& host, cl_kernel kernel, const Ints& data, std::size_t items,
         const Range& local) {
  const Memory buffer = host.buffer_of(data);
  set(kernel, buffer);
  REQUIRE(host.enqueue(kernel, {items}, local) == CL_SUCCESS);
  return host.read<cl_int>(buffer, data.size());
}

/// Runs kernel k(global int*) of `source` on 64 work-items in one group, from source and from IL:
/// each starts with its number i, and must end with `expected(i)`.
void check_each(const Host& host, const std::string& body, const char* options,
                const std::function<cl_int(cl_int)>& expected, const std::string& attribute = "") {
  CAPTURE(body);
  const std::string source = "kernel " + attribute + " void k(global int *a) {\n" +
                             "  int i = get_global_id(0), x = a[i];\n" + body + "\n}\n";
  const Program program = host.built(source, options);
  CHECK(host.log(program) == "");
  const Program il = host.from_il(host.binary(program));
  REQUIRE(host.build(il) == CL_SUCCESS);
  Ints start(64), wanted(64);
  std::iota(start.begin(), start.end(), 0);
  std::transform(start.begin(), start.end(), wanted.begin(), expected);
  for (const cl_program made : {cl_program{program}, cl_program{il}})
    CHECK(run(host, host.kernel(made, "k"), start, 64, {64}) == wanted);
}

constexpr const char* k30 = "-cl-std=CL3.0 -Werror";

template <class T>
T device_info(const Host& host, cl_device_info name) {
  return info<T>(clGetDeviceInfo, host.device, name);
}

TEST_CASE_FIXTURE(Host, "what the device says of groups") {
  CHECK(device_info<cl_bool>(*this, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) == CL_TRUE);
  CHECK(device_info<cl_uint>(*this, CL_DEVICE_MAX_NUM_SUB_GROUPS) == 512);
  CHECK(device_info<cl_bool>(*this, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS) == CL_TRUE);
  CHECK(device_info<std::array<std::size_t, 4>>(*this, CL_DEVICE_SUB_GROUP_SIZES_INTEL) ==
        std::array<std::size_t, 4>{8, 16, 32, 64});
  constexpr cl_device_info kSingle = 0x4231, kDouble = 0x4232, kHalf = 0x4233;
  CHECK(device_info<cl_bitfield>(*this, kSingle) == 0x70007);
  CHECK(device_info<cl_bitfield>(*this, kDouble) == 0x70007);
  CHECK(device_info<cl_bitfield>(*this, kHalf) == 0x50005);
  CHECK(device_info<cl_bitfield>(*this, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR) == 3);
  using Acceleration = std::array<cl_bool, 6>;
  for (const cl_device_info name :
       {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR})
    CHECK(device_info<Acceleration>(*this, name) == Acceleration{});
}

TEST_CASE_FIXTURE(Host, "every announced extension of the language is a macro there") {
  const std::string names = text_info(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS);
  std::string source;
  std::istringstream announced(
      "cl_khr_subgroups cl_khr_extended_bit_ops cl_khr_expect_assume "
      "cl_khr_integer_dot_product cl_khr_work_group_uniform_arithmetic "
      "cl_khr_subgroup_extended_types cl_khr_subgroup_non_uniform_vote "
      "cl_khr_subgroup_ballot cl_khr_subgroup_non_uniform_arithmetic "
      "cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative "
      "cl_khr_subgroup_clustered_reduce cl_khr_subgroup_rotate cl_ext_float_atomics "
      "cl_intel_subgroups cl_intel_subgroups_char cl_intel_subgroups_short "
      "cl_intel_subgroups_long cl_intel_subgroup_local_block_io "
      "cl_intel_required_subgroup_size cl_khr_kernel_clock");
  for (std::string name; announced >> name;) {
    CAPTURE(name);
    CHECK((" " + names + " ").find(" " + name + " ") != std::string::npos);
    source += "#if " + name + " != 1\n#error " + name + "\n#endif\n";
  }
  for (const char* options : {"-cl-std=CL2.0", "-cl-std=CL3.0"}) built(source, options);
}

TEST_CASE_FIXTURE(Host, "work-group functions") {
  check_each(*this, "a[i] = work_group_reduce_add(x);", k30, [](cl_int) { return 2016; });
  check_each(*this, "a[i] = work_group_scan_inclusive_max(x ^ 5);", "-cl-std=CL2.0", [](cl_int i) {
    cl_int most = 0;
    for (cl_int n = 0; n <= i; ++n) most = std::max(most, n ^ 5);
    return most;
  });
  check_each(*this,
             "a[i] = work_group_broadcast(x, 7) + work_group_all(x < 64) + work_group_any(x == 9);",
             k30, [](cl_int) { return 9; });
}

TEST_CASE_FIXTURE(Host, "cl_khr_work_group_uniform_arithmetic") {
  check_each(*this, "a[i] = work_group_reduce_mul(x < 5 ? 3 : 1);", k30,
             [](cl_int) { return 243; });
  check_each(*this, "a[i] = work_group_scan_exclusive_or(1 << (x & 15));", k30,
             [](cl_int i) { return i < 16 ? (1 << i) - 1 : 0xffff; });
  check_each(*this,
             "a[i] = work_group_scan_inclusive_xor((ulong)x) & work_group_reduce_and(x | 12);", k30,
             [](cl_int i) {
               cl_int bits = 0;
               for (cl_int n = 0; n <= i; ++n) bits ^= n;
               return bits & 12;
             });
  check_each(
      *this,
      "a[i] = work_group_reduce_logical_and(x < 64) + 2 * work_group_reduce_logical_or(x == 70)"
      " + 4 * work_group_reduce_logical_xor(x < 3);",
      "-cl-std=CL2.0 -cl-opt-disable", [](cl_int) { return 5; });
  check_each(*this, "a[i] = (int)work_group_scan_inclusive_mul(x == 1 ? 2.5 : 1.0);", k30,
             [](cl_int i) { return i == 0 ? 1 : 2; });
}

TEST_CASE_FIXTURE(Host, "sub-group functions of the core") {
  check_each(*this,
             "a[i] = get_sub_group_id() * 100000 + get_sub_group_local_id() * 1000 + "
             "get_num_sub_groups() * 100 + get_sub_group_size();",
             k30, [](cl_int i) { return i / 32 * 100000 + i % 32 * 1000 + 232; });
  check_each(*this, "sub_group_barrier(CLK_LOCAL_MEM_FENCE); a[i] = sub_group_reduce_add(x);",
             "-cl-std=CL2.0", [](cl_int i) { return i < 32 ? 496 : 1520; });
  check_each(*this, "a[i] = sub_group_broadcast(x, 3) + sub_group_scan_exclusive_add(1);", k30,
             [](cl_int i) { return i / 32 * 32 + 3 + i % 32; });
}

TEST_CASE_FIXTURE(Host, "cl_khr_subgroup_...") {
  check_each(*this, "a[i] = sub_group_broadcast((short4)(x), 5).z + sub_group_reduce_max((char)1);",
             k30, [](cl_int i) { return i / 32 * 32 + 6; });
  check_each(
      *this,
      "if (x % 3 == 0) a[i] = sub_group_elect() + 2 * sub_group_non_uniform_all(x % 3 == 0) + "
      "4 * sub_group_non_uniform_all_equal(7); else a[i] = sub_group_non_uniform_any(x == 1);",
      k30, [](cl_int i) {
        if (i % 3 == 0) return 6 + (i == 0 || i == 33);
        return i < 32 ? 1 : 0;
      });
  check_each(*this,
             "uint4 b = sub_group_ballot(x & 1); a[i] = sub_group_ballot_bit_count(b) * 1000 + "
             "sub_group_ballot_inclusive_scan(b) * 10 + sub_group_inverse_ballot(b);",
             k30, [](cl_int i) { return 16000 + (i % 32 + 1) / 2 * 10 + (i & 1); });
  check_each(*this,
             "if (x & 1) a[i] = sub_group_non_uniform_reduce_add(x); else a[i] = "
             "sub_group_non_uniform_scan_exclusive_min(x);",
             k30, [](cl_int i) {
               if (i & 1) return i < 32 ? 256 : 768;
               return i % 32 == 0 ? 0x7fffffff : i / 32 * 32;
             });
  check_each(*this, "a[i] = sub_group_shuffle_xor(x, 5) * 100 + sub_group_shuffle(x, 2);", k30,
             [](cl_int i) { return (i ^ 5) * 100 + i / 32 * 32 + 2; });
  check_each(*this, "int u = sub_group_shuffle_up(x, 1); a[i] = i % 32 ? u : -1;", k30,
             [](cl_int i) { return i % 32 != 0 ? i - 1 : -1; });
  check_each(*this,
             "a[i] = sub_group_clustered_reduce_add(x, 4) + sub_group_rotate(x, 1) + "
             "sub_group_clustered_rotate(x, 1, 8);",
             k30, [](cl_int i) {
               return i / 4 * 16 + 6 + i / 32 * 32 + (i + 1) % 32 + i / 8 * 8 + (i + 1) % 8;
             });
}

TEST_CASE_FIXTURE(Host, "cl_intel_subgroups and its family") {
  for (const char* options : {"-Werror", k30}) {
    check_each(
        *this,
        "a[i] = intel_sub_group_shuffle(x, 3u) + intel_sub_group_shuffle_down(x, x + 100, 1u);",
        options, [](cl_int i) {
          const cl_int first = i / 32 * 32;
          return first + 3 + (i % 32 == 31 ? first + 100 : i + 1);
        });
    check_each(*this,
               "global uint *b = (global uint*)a + i / 32 * 32; "
               "intel_sub_group_block_write(b, intel_sub_group_block_read(b) * 2);",
               options, [](cl_int i) { return 2 * i; });
  }
  check_each(
      *this,
      "global ushort *b = (global ushort*)a + i / 32 * 64; "
      "intel_sub_group_block_write_us2(b, intel_sub_group_block_read_us2(b) + (ushort2)(1));",
      k30, [](cl_int i) { return i + 0x10001; });
  check_each(*this,
             "global ulong *b = (global ulong*)a; if (i < 32) "
             "intel_sub_group_block_write_ul(b, intel_sub_group_block_read_ul(b) + 1);",
             k30, [](cl_int i) { return i + (i % 2 == 0); });
  check_each(*this,
             "local uchar m[256]; m[i] = x; barrier(CLK_LOCAL_MEM_FENCE); "
             "a[i] = intel_sub_group_block_read_uc(m + i / 32 * 32) + "
             "(int)intel_sub_group_shuffle((char)x, 1u);",
             k30, [](cl_int i) { return i + i / 32 * 32 + 1; });
  check_each(*this,
             "a[i] = intel_sub_group_reduce_max((short)x) + "
             "intel_sub_group_broadcast((ushort2)(x), 2u).y;",
             k30, [](cl_int i) { return i / 32 * 64 + 33; });
}

TEST_CASE_FIXTURE(Host, "cl_intel_required_subgroup_size") {
  for (const cl_int size : {8, 16, 32, 64})
    check_each(
        *this, "a[i] = get_max_sub_group_size() * 100 + get_num_sub_groups();", k30,
        [=](cl_int) { return size * 100 + 64 / size; },
        "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + ")))");
}

TEST_CASE_FIXTURE(Host, "cl_khr_integer_dot_product") {
  for (const char* options : {"-Werror", "-cl-std=CL3.0 -cl-opt-disable"}) {
    check_each(
        *this,
        "a[i] = dot((uchar4)(255), (char4)(-x)) + dot_4x8packed_us_int(0xffffffff, 0xfefefefe);",
        options, [](cl_int i) { return -1020 * i - 2040; });
    check_each(*this,
               "a[i] = dot_acc_sat((char4)(x), (char4)(1), INT_MAX - 100) - (INT_MAX - 100) + "
               "dot_4x8packed_ss_int(0xff, 0x02);",
               options, [](cl_int i) { return std::min(4 * i, 100) - 2; });
    check_each(*this, "a[i] = FUNCTION(0x01010101, x);", "-DFUNCTION=dot_4x8packed_uu_uint",
               [](cl_int i) { return i; });
    check_each(*this, "a[i] = dot_acc_sat_4x8packed_uu_uint(0x01010101, x, UINT_MAX - 20) + 20;",
               options, [](cl_int i) { return std::min(i, 20) - 1; });
  }
}

TEST_CASE_FIXTURE(Host, "cl_khr_extended_bit_ops, cl_khr_expect_assume") {
  check_each(*this,
             "a[i] = bitfield_insert(0, x, 4, 8) + bitfield_extract_signed(x, 0, 3) + "
             "(bit_reverse((uchar)x) & 1);",
             k30, [](cl_int i) { return (i << 4) + ((i & 7) < 4 ? i & 7 : (i & 7) - 8); });
  check_each(*this, "__builtin_assume(x >= 0); a[i] = __builtin_expect(x > 3, 1) ? x / 2 : 0;", k30,
             [](cl_int i) { return i > 3 ? i / 2 : 0; });
}

TEST_CASE_FIXTURE(Host, "cl_ext_float_atomics") {
  const auto in_type = [](std::string text, const std::string& type, const std::string& space) {
    for (const auto& [name, value] : {std::pair("TYPE", type), std::pair("SPACE", space)})
      for (std::size_t at = 0; (at = text.find(name)) != std::string::npos;)
        text.replace(at, std::strlen(name), value);
    return text;
  };
  for (const auto& [type, space] :
       {std::pair("float", "local"), std::pair("double", "local"), std::pair("float", "")})
    check_each(*this,
               in_type("local atomic_TYPE sum; volatile SPACE atomic_TYPE *s = &sum;"
                       "if (i == 0) atomic_init(&sum, (TYPE)0); barrier(CLK_LOCAL_MEM_FENCE);"
                       "atomic_fetch_add_explicit(s, (TYPE)x, memory_order_relaxed);"
                       "barrier(CLK_LOCAL_MEM_FENCE);"
                       "a[i] = atomic_load_explicit(&sum, memory_order_relaxed);",
                       type, space),
               k30, [](cl_int) { return 2016; });
  for (const char* type : {"half", "float", "double"})
    check_each(*this,
               in_type("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                       "local atomic_TYPE least; if (i == 0) atomic_store(&least, (TYPE)99);"
                       "barrier(CLK_LOCAL_MEM_FENCE); atomic_fetch_min(&least, (TYPE)(x + 7));"
                       "barrier(CLK_LOCAL_MEM_FENCE); a[i] = atomic_load(&least);",
                       type, ""),
               k30, [](cl_int) { return 7; });
}

TEST_CASE_FIXTURE(Host, "cl_khr_kernel_clock") {
  CHECK(device_info<cl_bitfield>(*this, 0x1076) == 7);  // the scopes' bits
  for (const char* options : {k30, "-cl-std=CL2.0 -cl-opt-disable"})
    for (const std::string scope : {"device", "work_group", "sub_group"})
      check_each(*this,
                 "ulong t = clock_read_" + scope + "(); uint2 u = clock_read_hilo_" + scope +
                     "();"
                     "a[i] = t != 0 && as_ulong(u) >= t;",
                 options, [](cl_int) { return 1; });
}

/// The answer of clGetKernelSubGroupInfo for an input of sizes.
template <class Answer = std::size_t>
Answer sub_group_info(cl_kernel kernel, cl_kernel_sub_group_info name, const Range& input) {
  return info<Answer>(clGetKernelSubGroupInfo, kernel, the_device(), name,
                      input.size() * sizeof(std::size_t), input.empty() ? nullptr : input.data());
}

TEST_CASE_FIXTURE(Host, "what clGetKernelSubGroupInfo tells") {
  const Program program = built(
      "kernel void any(global int *a) {}\n"
      "kernel __attribute__((intel_reqd_sub_group_size(8))) void eights(global int *a) {}\n"
      "kernel __attribute__((reqd_work_group_size(50, 2, 1))) void hundred(global int *a) {}\n");
  const Kernel any = this->kernel(program, "any"), eights = this->kernel(program, "eights"),
               hundred = this->kernel(program, "hundred");
  struct Row {
    cl_kernel kernel;
    cl_kernel_sub_group_info name;
    Range input;
    std::size_t answer;
  };
  const Row rows[] = {{any, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {10, 10, 1}, 32},
                      {eights, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, {100}, 8},
                      {any, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {10, 10, 1}, 4},
                      {eights, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {10, 10}, 13},
                      {any, CL_KERNEL_MAX_NUM_SUB_GROUPS, {}, 128},
                      {eights, CL_KERNEL_MAX_NUM_SUB_GROUPS, {}, 512},
                      {hundred, CL_KERNEL_MAX_NUM_SUB_GROUPS, {}, 4},
                      {any, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, {}, 0},
                      {any, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, {}, 0},
                      {eights, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, {}, 8}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CAPTURE(row.answer);
    CHECK(sub_group_info(row.kernel, row.name, row.input) == row.answer);
  }
  CHECK(info<std::size_t>(clGetKernelSubGroupInfo, any, nullptr, CL_KERNEL_MAX_NUM_SUB_GROUPS,
                          std::size_t{0}, nullptr) == 128);

  using Sizes = std::array<std::size_t, 3>;
  const auto local_for = [&](cl_kernel kernel, std::size_t count) {
    return sub_group_info<Sizes>(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, {count});
  };
  CHECK(local_for(any, 3) == Sizes{96, 1, 1});
  CHECK(local_for(eights, 512) == Sizes{4096, 1, 1});
  CHECK(local_for(any, 129) == Sizes{0, 0, 0});
  CHECK(local_for(hundred, 4) == Sizes{50, 2, 1});
  CHECK(local_for(hundred, 2) == Sizes{0, 0, 0});
  CHECK(info<cl_ulong>(clGetKernelWorkGroupInfo, any, device, CL_KERNEL_SPILL_MEM_SIZE_INTEL) == 0);
}

TEST_CASE_FIXTURE(Host, "a number of sub-groups that the kernel demands") {
  // k(global uint*): stores NumSubgroups; SubgroupsPerWorkgroup 2. By hand, for OpenCL C has no
  // word for it.
  const std::vector<std::uint32_t> words{
      0x07230203, 0x00010100, 0,          20,         0,          0x00020011, 4,
      0x00020011, 6,          0x00020011, 58,         0x0003000e, 2,          2,
      0x0005000f, 6,          10,         0x0000006b, 13,  // Kernel "k", interface %13
      0x00040010, 10,         36,         2,               // SubgroupsPerWorkgroup 2
      0x00040047, 13,         11,         38,              // BuiltIn NumSubgroups
      0x00040015, 1,          32,         0,          0x00040020, 2,          5,
      1,          0x00040020, 5,          1,          1,          0x00020013, 3,
      0x00040021, 4,          3,          2,          0x0004003b, 5,          13,
      1,          0x00050036, 3,          10,         0,          4,          0x00030037,
      2,          11,         0x000200f8, 12,         0x0004003d, 1,          14,
      13,         0x0005003e, 11,         14,         2,          4,          0x000100fd,
      0x00010038};
  const Program program = from_il(words);
  REQUIRE(build(program) == CL_SUCCESS);
  const Kernel kernel = this->kernel(program, "k");
  CHECK(sub_group_info(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, {}) == 2);
  CHECK(run(*this, kernel, {0}, 128, {64}) == Ints{2});
  CHECK(run(*this, kernel, {0}, 128, {}) == Ints{2});
  CHECK(enqueue(kernel, {128}, {32}) == CL_INVALID_WORK_GROUP_SIZE);
}

TEST_CASE_FIXTURE(Host, "the suggested work-group size is the one that a launch gets") {
  const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
  REQUIRE((suggest != nullptr));
  const Program program = built(
      "kernel void k(global int *a) { if (get_global_id(0) == 0) a[0] = get_local_size(0); }\n"
      "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void eight(global int *a) {}\n");
  const Kernel kernel = this->kernel(program, "k"), eight = this->kernel(program, "eight");
  for (const std::size_t items : Range{1, 96, 997, 4096}) {
    const Ints size = run(*this, kernel, {0}, items, {});
    std::size_t suggested = 0;
    set(kernel, nullptr);
    CHECK(suggest(queue, kernel, 1, nullptr, &items, &suggested) == CL_SUCCESS);
    CHECK(static_cast<cl_int>(suggested) == size[0]);
  }
  set(eight, nullptr);
  const Range global{64, 64};
  Range size(2);
  CHECK(suggest(queue, eight, 2, nullptr, global.data(), size.data()) == CL_SUCCESS);
  CHECK(size == Range{8, 2});
}

}  // namespace
}  // namespace transpire::test::groups_tests
