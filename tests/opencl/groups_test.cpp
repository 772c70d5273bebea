// Work-groups and sub-groups, and the other extensions that kernels use: what is announced of them,
// and that every function runs, from source and from the SPIR-V of it.
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "tests/opencl/host.h"

namespace transpire::test {
namespace {

using Ints = std::vector<cl_int>;

/// What `kernel` leaves in `data` when it is its only argument.
Ints run(const Host& host, cl_kernel kernel, Ints data, std::size_t items, std::size_t local) {
  cl_int code = 0;
  const std::size_t bytes = data.size() * sizeof(cl_int);
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_COPY_HOST_PTR, bytes, data.data(), &code);
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  REQUIRE(clEnqueueNDRangeKernel(host.queue, kernel, 1, nullptr, &items,
                                 local == 0 ? nullptr : &local, 0, nullptr, nullptr) == CL_SUCCESS);
  REQUIRE(clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, bytes, data.data(), 0, nullptr,
                              nullptr) == CL_SUCCESS);
  clReleaseMemObject(buffer);
  return data;
}

/// The same program from the SPIR-V that its source became.
cl_program from_il(const Host& host, cl_program program) {
  const std::vector<unsigned char> binary = host.binary(program);
  cl_int code = 0;
  cl_program made = clCreateProgramWithIL(host.context, binary.data(), binary.size(), &code);
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(host.build(made) == CL_SUCCESS);
  return made;
}

/// Runs kernel k(global int*) of `source` on 64 work-items in one group, from source and from IL:
/// each starts with its number i, and must end with `expected(i)`.
void check_each(const Host& host, const std::string& body, const char* options,
                const std::function<cl_int(cl_int)>& expected, const std::string& attribute = "") {
  CAPTURE(body);
  const std::string source = "kernel " + attribute + " void k(global int *a) {\n" +
                             "  int i = get_global_id(0), x = a[i];\n" + body + "\n}\n";
  cl_program program = host.built(source, options);
  CHECK(host.log(program) == "");
  cl_program il = from_il(host, program);
  Ints start(64), wanted(64);
  std::iota(start.begin(), start.end(), 0);
  std::transform(start.begin(), start.end(), wanted.begin(), expected);
  for (cl_program made : {program, il}) {
    cl_kernel kernel = host.kernel(made, "k");
    CHECK(run(host, kernel, start, 64, 64) == wanted);
    clReleaseKernel(kernel);
    clReleaseProgram(made);
  }
}

constexpr const char* k30 = "-cl-std=CL3.0 -Werror";

template <class T>
T device_info(const Host& host, cl_device_info name) {
  T value{};
  std::size_t size = 0;
  REQUIRE(clGetDeviceInfo(host.device, name, sizeof value, &value, &size) == CL_SUCCESS);
  CHECK(size == sizeof value);
  return value;
}

}  // namespace

TEST_CASE("what the device says of groups") {
  Host host;
  CHECK(device_info<cl_bool>(host, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) == CL_TRUE);
  CHECK(device_info<cl_uint>(host, CL_DEVICE_MAX_NUM_SUB_GROUPS) == 512);
  CHECK(device_info<cl_bool>(host, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS) == CL_TRUE);
  CHECK(device_info<std::array<std::size_t, 4>>(host, CL_DEVICE_SUB_GROUP_SIZES_INTEL) ==
        std::array<std::size_t, 4>{8, 16, 32, 64});
  constexpr cl_device_info kSingle = 0x4231, kDouble = 0x4232, kHalf = 0x4233;
  CHECK(device_info<cl_bitfield>(host, kSingle) == 0x70007);
  CHECK(device_info<cl_bitfield>(host, kDouble) == 0x70007);
  CHECK(device_info<cl_bitfield>(host, kHalf) == 0x50005);
  CHECK(device_info<cl_bitfield>(host, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR) == 3);
  using Acceleration = std::array<cl_bool, 6>;
  for (const cl_device_info name :
       {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR})
    CHECK(device_info<Acceleration>(host, name) == Acceleration{});
}

TEST_CASE("every announced extension of the language is a macro there") {
  Host host;
  const std::string names = text_of([&](std::size_t size, void* value, std::size_t* size_ret) {
    return clGetDeviceInfo(host.device, CL_DEVICE_EXTENSIONS, size, value, size_ret);
  });
  std::string source;
  for (const char* name : {"cl_khr_subgroups",
                           "cl_khr_extended_bit_ops",
                           "cl_khr_expect_assume",
                           "cl_khr_integer_dot_product",
                           "cl_khr_work_group_uniform_arithmetic",
                           "cl_khr_subgroup_extended_types",
                           "cl_khr_subgroup_non_uniform_vote",
                           "cl_khr_subgroup_ballot",
                           "cl_khr_subgroup_non_uniform_arithmetic",
                           "cl_khr_subgroup_shuffle",
                           "cl_khr_subgroup_shuffle_relative",
                           "cl_khr_subgroup_clustered_reduce",
                           "cl_khr_subgroup_rotate",
                           "cl_ext_float_atomics",
                           "cl_intel_subgroups",
                           "cl_intel_subgroups_char",
                           "cl_intel_subgroups_short",
                           "cl_intel_subgroups_long",
                           "cl_intel_subgroup_local_block_io",
                           "cl_intel_required_subgroup_size",
                           "cl_khr_kernel_clock"}) {
    CAPTURE(name);
    CHECK((" " + names + " ").find(" " + std::string(name) + " ") != std::string::npos);
    source += "#if " + std::string(name) + " != 1\n#error " + name + "\n#endif\n";
  }
  for (const char* options : {"-cl-std=CL2.0", "-cl-std=CL3.0"})
    clReleaseProgram(host.built(source, options));
}

TEST_CASE("work-group functions") {
  Host host;
  check_each(host, "a[i] = work_group_reduce_add(x);", k30, [](cl_int) { return 2016; });
  check_each(host, "a[i] = work_group_scan_inclusive_max(x ^ 5);", "-cl-std=CL2.0", [](cl_int i) {
    cl_int most = 0;
    for (cl_int n = 0; n <= i; ++n) most = std::max(most, n ^ 5);
    return most;
  });
  check_each(host,
             "a[i] = work_group_broadcast(x, 7) + work_group_all(x < 64) + work_group_any(x == 9);",
             k30, [](cl_int) { return 9; });
}

TEST_CASE("cl_khr_work_group_uniform_arithmetic") {
  Host host;
  check_each(host, "a[i] = work_group_reduce_mul(x < 5 ? 3 : 1);", k30, [](cl_int) { return 243; });
  check_each(host, "a[i] = work_group_scan_exclusive_or(1 << (x & 15));", k30,
             [](cl_int i) { return i < 16 ? (1 << i) - 1 : 0xffff; });
  check_each(host,
             "a[i] = work_group_scan_inclusive_xor((ulong)x) & work_group_reduce_and(x | 12);", k30,
             [](cl_int i) {
               cl_int bits = 0;
               for (cl_int n = 0; n <= i; ++n) bits ^= n;
               return bits & 12;
             });
  check_each(
      host,
      "a[i] = work_group_reduce_logical_and(x < 64) + 2 * work_group_reduce_logical_or(x == 70)"
      " + 4 * work_group_reduce_logical_xor(x < 3);",
      "-cl-std=CL2.0 -cl-opt-disable", [](cl_int) { return 5; });
  check_each(host, "a[i] = (int)work_group_scan_inclusive_mul(x == 1 ? 2.5 : 1.0);", k30,
             [](cl_int i) { return i == 0 ? 1 : 2; });
}

TEST_CASE("sub-group functions of the core") {
  Host host;
  check_each(host,
             "a[i] = get_sub_group_id() * 100000 + get_sub_group_local_id() * 1000 + "
             "get_num_sub_groups() * 100 + get_sub_group_size();",
             k30, [](cl_int i) { return i / 32 * 100000 + i % 32 * 1000 + 232; });
  check_each(host, "sub_group_barrier(CLK_LOCAL_MEM_FENCE); a[i] = sub_group_reduce_add(x);",
             "-cl-std=CL2.0", [](cl_int i) { return i < 32 ? 496 : 1520; });
  check_each(host, "a[i] = sub_group_broadcast(x, 3) + sub_group_scan_exclusive_add(1);", k30,
             [](cl_int i) { return i / 32 * 32 + 3 + i % 32; });
}

TEST_CASE("cl_khr_subgroup_...") {
  Host host;
  check_each(host, "a[i] = sub_group_broadcast((short4)(x), 5).z + sub_group_reduce_max((char)1);",
             k30, [](cl_int i) { return i / 32 * 32 + 6; });
  check_each(
      host,
      "if (x % 3 == 0) a[i] = sub_group_elect() + 2 * sub_group_non_uniform_all(x % 3 == 0) + "
      "4 * sub_group_non_uniform_all_equal(7); else a[i] = sub_group_non_uniform_any(x == 1);",
      k30, [](cl_int i) {
        if (i % 3 == 0) return 6 + (i == 0 || i == 33);
        return i < 32 ? 1 : 0;
      });
  check_each(host,
             "uint4 b = sub_group_ballot(x & 1); a[i] = sub_group_ballot_bit_count(b) * 1000 + "
             "sub_group_ballot_inclusive_scan(b) * 10 + sub_group_inverse_ballot(b);",
             k30, [](cl_int i) { return 16000 + (i % 32 + 1) / 2 * 10 + (i & 1); });
  check_each(host,
             "if (x & 1) a[i] = sub_group_non_uniform_reduce_add(x); else a[i] = "
             "sub_group_non_uniform_scan_exclusive_min(x);",
             k30, [](cl_int i) {
               if (i & 1) return i < 32 ? 256 : 768;
               return i % 32 == 0 ? 0x7fffffff : i / 32 * 32;
             });
  check_each(host, "a[i] = sub_group_shuffle_xor(x, 5) * 100 + sub_group_shuffle(x, 2);", k30,
             [](cl_int i) { return (i ^ 5) * 100 + i / 32 * 32 + 2; });
  check_each(host, "int u = sub_group_shuffle_up(x, 1); a[i] = i % 32 ? u : -1;", k30,
             [](cl_int i) { return i % 32 != 0 ? i - 1 : -1; });
  check_each(host,
             "a[i] = sub_group_clustered_reduce_add(x, 4) + sub_group_rotate(x, 1) + "
             "sub_group_clustered_rotate(x, 1, 8);",
             k30, [](cl_int i) {
               return i / 4 * 16 + 6 + i / 32 * 32 + (i + 1) % 32 + i / 8 * 8 + (i + 1) % 8;
             });
}

TEST_CASE("cl_intel_subgroups and its family") {
  Host host;
  for (const char* options : {"-Werror", k30}) {
    check_each(
        host,
        "a[i] = intel_sub_group_shuffle(x, 3u) + intel_sub_group_shuffle_down(x, x + 100, 1u);",
        options, [](cl_int i) {
          const cl_int first = i / 32 * 32;
          return first + 3 + (i % 32 == 31 ? first + 100 : i + 1);
        });
    check_each(host,
               "global uint *b = (global uint*)a + i / 32 * 32; "
               "intel_sub_group_block_write(b, intel_sub_group_block_read(b) * 2);",
               options, [](cl_int i) { return 2 * i; });
  }
  check_each(
      host,
      "global ushort *b = (global ushort*)a + i / 32 * 64; "
      "intel_sub_group_block_write_us2(b, intel_sub_group_block_read_us2(b) + (ushort2)(1));",
      k30, [](cl_int i) { return i + 0x10001; });
  check_each(host,
             "global ulong *b = (global ulong*)a; if (i < 32) "
             "intel_sub_group_block_write_ul(b, intel_sub_group_block_read_ul(b) + 1);",
             k30, [](cl_int i) { return i + (i % 2 == 0); });
  check_each(host,
             "local uchar m[256]; m[i] = x; barrier(CLK_LOCAL_MEM_FENCE); "
             "a[i] = intel_sub_group_block_read_uc(m + i / 32 * 32) + "
             "(int)intel_sub_group_shuffle((char)x, 1u);",
             k30, [](cl_int i) { return i + i / 32 * 32 + 1; });
  check_each(host,
             "a[i] = intel_sub_group_reduce_max((short)x) + "
             "intel_sub_group_broadcast((ushort2)(x), 2u).y;",
             k30, [](cl_int i) { return i / 32 * 64 + 33; });
}

TEST_CASE("cl_intel_required_subgroup_size") {
  Host host;
  for (const cl_int size : {8, 16, 32, 64})
    check_each(
        host, "a[i] = get_max_sub_group_size() * 100 + get_num_sub_groups();", k30,
        [=](cl_int) { return size * 100 + 64 / size; },
        "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + ")))");
}

TEST_CASE("cl_khr_integer_dot_product") {
  Host host;
  for (const char* options : {"-Werror", "-cl-std=CL3.0 -cl-opt-disable"}) {
    check_each(
        host,
        "a[i] = dot((uchar4)(255), (char4)(-x)) + dot_4x8packed_us_int(0xffffffff, 0xfefefefe);",
        options, [](cl_int i) { return -1020 * i - 2040; });
    check_each(host,
               "a[i] = dot_acc_sat((char4)(x), (char4)(1), INT_MAX - 100) - (INT_MAX - 100) + "
               "dot_4x8packed_ss_int(0xff, 0x02);",
               options, [](cl_int i) { return std::min(4 * i, 100) - 2; });
    check_each(host, "a[i] = FUNCTION(0x01010101, x);", "-DFUNCTION=dot_4x8packed_uu_uint",
               [](cl_int i) { return i; });
    check_each(host, "a[i] = dot_acc_sat_4x8packed_uu_uint(0x01010101, x, UINT_MAX - 20) + 20;",
               options, [](cl_int i) { return std::min(i, 20) - 1; });
  }
}

TEST_CASE("cl_khr_extended_bit_ops, cl_khr_expect_assume") {
  Host host;
  check_each(host,
             "a[i] = bitfield_insert(0, x, 4, 8) + bitfield_extract_signed(x, 0, 3) + "
             "(bit_reverse((uchar)x) & 1);",
             k30, [](cl_int i) { return (i << 4) + ((i & 7) < 4 ? i & 7 : (i & 7) - 8); });
  check_each(host, "__builtin_assume(x >= 0); a[i] = __builtin_expect(x > 3, 1) ? x / 2 : 0;", k30,
             [](cl_int i) { return i > 3 ? i / 2 : 0; });
}

TEST_CASE("cl_ext_float_atomics") {
  Host host;
  const auto sums = [&](const std::string& type, const std::string& space) {
    check_each(host,
               "local atomic_" + type + " sum; volatile " + space + " atomic_" + type +
                   " *s = &sum;"
                   "if (i == 0) atomic_init(&sum, (" +
                   type +
                   ")0); barrier(CLK_LOCAL_MEM_FENCE);"
                   "atomic_fetch_add_explicit(s, (" +
                   type +
                   ")x, memory_order_relaxed);"
                   "barrier(CLK_LOCAL_MEM_FENCE); a[i] = atomic_load_explicit(&sum, "
                   "memory_order_relaxed);",
               k30, [](cl_int) { return 2016; });
  };
  sums("float", "local");
  sums("double", "local");
  sums("float", "");
  for (const char* type : {"half", "float", "double"}) {
    const std::string name = type;
    check_each(host,
               "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
               "local atomic_" +
                   name + " least; if (i == 0) atomic_store(&least, (" + name +
                   ")99);"
                   "barrier(CLK_LOCAL_MEM_FENCE); atomic_fetch_min(&least, (" +
                   name +
                   ")(x + 7));"
                   "barrier(CLK_LOCAL_MEM_FENCE); a[i] = atomic_load(&least);",
               k30, [](cl_int) { return 7; });
  }
}

TEST_CASE("cl_khr_kernel_clock") {
  Host host;
  CHECK(device_info<cl_bitfield>(host, 0x1076) == 7);  // the scopes' bits
  for (const char* options : {k30, "-cl-std=CL2.0 -cl-opt-disable"})
    for (const std::string scope : {"device", "work_group", "sub_group"})
      check_each(host,
                 "ulong t = clock_read_" + scope + "(); uint2 u = clock_read_hilo_" + scope +
                     "();"
                     "a[i] = t != 0 && as_ulong(u) >= t;",
                 options, [](cl_int) { return 1; });
}

namespace {

struct SubGroups {
  const Host& host;
  cl_kernel kernel;

  template <class Input>
  std::size_t ask(cl_kernel_sub_group_info name, const Input& input) const {
    std::size_t answer = 0;
    CHECK(clGetKernelSubGroupInfo(kernel, host.device, name, sizeof input, &input, sizeof answer,
                                  &answer, nullptr) == CL_SUCCESS);
    return answer;
  }
  std::size_t ask(cl_kernel_sub_group_info name) const {
    std::size_t answer = 0, size = 0;
    CHECK(clGetKernelSubGroupInfo(kernel, nullptr, name, 0, nullptr, sizeof answer, &answer,
                                  &size) == CL_SUCCESS);
    CHECK(size == sizeof answer);
    return answer;
  }
};

}  // namespace

TEST_CASE("what clGetKernelSubGroupInfo tells") {
  Host host;
  cl_program program = host.built(
      "kernel void any(global int *a) {}\n"
      "kernel __attribute__((intel_reqd_sub_group_size(8))) void eights(global int *a) {}\n"
      "kernel __attribute__((reqd_work_group_size(50, 2, 1))) void hundred(global int *a) {}\n");
  using Sizes = std::array<std::size_t, 3>;
  const SubGroups any{host, host.kernel(program, "any")},
      eights{host, host.kernel(program, "eights")}, hundred{host, host.kernel(program, "hundred")};
  CHECK(any.ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, Sizes{10, 10, 1}) == 32);
  CHECK(eights.ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, std::size_t{100}) == 8);
  CHECK(any.ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, Sizes{10, 10, 1}) == 4);
  CHECK(eights.ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, std::array<std::size_t, 2>{10, 10}) ==
        13);
  CHECK(any.ask(CL_KERNEL_MAX_NUM_SUB_GROUPS) == 128);
  CHECK(eights.ask(CL_KERNEL_MAX_NUM_SUB_GROUPS) == 512);
  CHECK(hundred.ask(CL_KERNEL_MAX_NUM_SUB_GROUPS) == 4);
  CHECK(any.ask(CL_KERNEL_COMPILE_NUM_SUB_GROUPS) == 0);
  CHECK(any.ask(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL) == 0);
  CHECK(eights.ask(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL) == 8);

  const auto local_for = [&](const SubGroups& of, std::size_t count) {
    Sizes size{7, 7, 7};
    CHECK(clGetKernelSubGroupInfo(of.kernel, host.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                  sizeof count, &count, sizeof size, size.data(),
                                  nullptr) == CL_SUCCESS);
    return size;
  };
  CHECK(local_for(any, 3) == Sizes{96, 1, 1});
  CHECK(local_for(eights, 512) == Sizes{4096, 1, 1});
  CHECK(local_for(any, 129) == Sizes{0, 0, 0});
  CHECK(local_for(hundred, 4) == Sizes{50, 2, 1});
  CHECK(local_for(hundred, 2) == Sizes{0, 0, 0});
  cl_ulong spilled = 1;
  CHECK(clGetKernelWorkGroupInfo(any.kernel, host.device, CL_KERNEL_SPILL_MEM_SIZE_INTEL,
                                 sizeof spilled, &spilled, nullptr) == CL_SUCCESS);
  CHECK(spilled == 0);
  for (const SubGroups& of : {any, eights, hundred}) clReleaseKernel(of.kernel);
  clReleaseProgram(program);
}

TEST_CASE("a number of sub-groups that the kernel demands") {
  Host host;
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
  cl_int code = 0;
  cl_program program = clCreateProgramWithIL(host.context, words.data(), words.size() * 4, &code);
  REQUIRE(code == CL_SUCCESS);
  REQUIRE(host.build(program) == CL_SUCCESS);
  cl_kernel kernel = host.kernel(program, "k");
  CHECK(SubGroups{host, kernel}.ask(CL_KERNEL_COMPILE_NUM_SUB_GROUPS) == 2);
  CHECK(run(host, kernel, {0}, 128, 64) == Ints{2});
  CHECK(run(host, kernel, {0}, 128, 0) == Ints{2});
  const std::size_t global = 128, local = 32;
  CHECK(clEnqueueNDRangeKernel(host.queue, kernel, 1, nullptr, &global, &local, 0, nullptr,
                               nullptr) == CL_INVALID_WORK_GROUP_SIZE);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

TEST_CASE("the suggested work-group size is the one that a launch gets") {
  Host host;
  const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(host.platform,
                                               "clGetKernelSuggestedLocalWorkSizeKHR"));
  REQUIRE((suggest != nullptr));
  cl_program program = host.built(
      "kernel void k(global int *a) { if (get_global_id(0) == 0) a[0] = get_local_size(0); }\n"
      "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void eight(global int *a) {}\n");
  cl_kernel kernel = host.kernel(program, "k");
  cl_mem none = nullptr;
  for (const std::size_t items :
       {std::size_t{1}, std::size_t{96}, std::size_t{997}, std::size_t{4096}}) {
    const Ints size = run(host, kernel, {0}, items, 0);
    std::size_t suggested = 0;
    REQUIRE(clSetKernelArg(kernel, 0, sizeof none, &none) == CL_SUCCESS);
    CHECK(suggest(host.queue, kernel, 1, nullptr, &items, &suggested) == CL_SUCCESS);
    CHECK(static_cast<cl_int>(suggested) == size[0]);
  }
  cl_kernel eight = host.kernel(program, "eight");
  REQUIRE(clSetKernelArg(eight, 0, sizeof none, &none) == CL_SUCCESS);
  const std::array<std::size_t, 2> global{64, 64};
  std::array<std::size_t, 2> size{};
  CHECK(suggest(host.queue, eight, 2, nullptr, global.data(), size.data()) == CL_SUCCESS);
  CHECK(size == std::array<std::size_t, 2>{8, 2});
  clReleaseKernel(eight);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

}  // namespace transpire::test
