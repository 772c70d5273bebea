// Functions of a work-group on all their types: reductions and scans of halves; exclusive scans of all, whose first work-item gets the
// operation's identity; broadcasts in one, two and three dimensions.
//! options -cl-std=CL2.0
//! kernel scans
//! global 600
//! local 50
//! arg in = int:random:3:-9:9:600
//! arg wrong = uint:zero:600
//! launch
//! expect wrong = fill:0
//! kernel firsts
//! global 3
//! local 1
//! arg ints = int:fill:5:9
//! arg uints = uint:fill:5:9
//! arg longs = long:fill:5:9
//! arg ulongs = ulong:fill:5:9
//! arg halfs = half:fill:5:9
//! arg floats = float:fill:5:9
//! arg doubles = double:fill:5:9
//! launch
//! expect ints = 0 0 0 2147483647 2147483647 2147483647 -2147483648 -2147483648 -2147483648
//! expect uints = 0 0 0 4294967295 4294967295 4294967295 0 0 0
//! expect longs = 0 0 0 9223372036854775807 9223372036854775807 9223372036854775807 -9223372036854775808 -9223372036854775808 -9223372036854775808
//! expect ulongs = 0 0 0 18446744073709551615 18446744073709551615 18446744073709551615 0 0 0
//! expect halfs = 0 0 0 inf inf inf -inf -inf -inf
//! expect floats = 0 0 0 inf inf inf -inf -inf -inf
//! expect doubles = 0 0 0 inf inf inf -inf -inf -inf
//! kernel line
//! global 24
//! local 12
//! arg wrong = uint:zero:24
//! launch
//! expect wrong = fill:0
//! kernel plane
//! global 8,6
//! local 4,3
//! arg wrong = uint:zero:48
//! launch
//! expect wrong = fill:0
//! kernel space
//! global 4,6,4
//! local 2,3,4
//! arg wrong = uint:zero:96
//! launch
//! expect wrong = fill:0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
// Sums of these are exact in half. Unsigned numbers wrap, and are compared as they are.
#define SCANS(type)                                                                                       \
  {                                                                                                       \
    type sum = 0, low = (type)in[first], high = (type)in[first];                                          \
    for (size_t k = first; k < i; ++k) {                                                                  \
      sum += (type)in[k];                                                                                 \
      low = min(low, (type)in[k]), high = max(high, (type)in[k]);                                         \
    }                                                                                                     \
    const type own = (type)in[i];                                                                         \
    bad += work_group_scan_exclusive_add(own) != sum;                                                     \
    const type least = work_group_scan_exclusive_min(own), greatest = work_group_scan_exclusive_max(own); \
    if (i != first) bad += (least != low) + (greatest != high);                                           \
  }
kernel void scans(global const int* in, global uint* wrong) {
  const size_t i = get_global_id(0), n = get_local_size(0), first = get_group_id(0) * get_enqueued_local_size(0);
  uint bad = 0;
  SCANS(int) SCANS(uint) SCANS(long) SCANS(ulong) SCANS(half) SCANS(float) SCANS(double)
  half sum = 0, low = in[first], high = in[first], sum_to = 0, low_to = low, high_to = high;
  for (size_t k = first; k < first + n; ++k) {
    const half v = in[k];
    sum += v, low = min(low, v), high = max(high, v);
    if (k <= i) sum_to += v, low_to = min(low_to, v), high_to = max(high_to, v);
  }
  const half own = in[i];
  bad += work_group_reduce_add(own) != sum;
  bad += work_group_reduce_min(own) != low;
  bad += work_group_reduce_max(own) != high;
  bad += work_group_scan_inclusive_add(own) != sum_to;
  bad += work_group_scan_inclusive_min(own) != low_to;
  bad += work_group_scan_inclusive_max(own) != high_to;
  wrong[i] = bad;
}

#define IDENTITIES(to)                                  \
  to[i] = work_group_scan_exclusive_add(to[i]);         \
  to[i + 3] = work_group_scan_exclusive_min(to[i + 3]); \
  to[i + 6] = work_group_scan_exclusive_max(to[i + 6]);
kernel void firsts(global int* ints, global uint* uints, global long* longs, global ulong* ulongs, global half* halfs,
                   global float* floats, global double* doubles) {
  const size_t i = get_global_id(0);
  IDENTITIES(ints) IDENTITIES(uints) IDENTITIES(longs) IDENTITIES(ulongs)
  IDENTITIES(halfs) IDENTITIES(floats) IDENTITIES(doubles)
}

#define ALL(check) check(int) check(uint) check(long) check(ulong) check(half) check(float) check(double)
#define FROM_LINE(type) bad += work_group_broadcast((type)own, x) != (type)from;
#define FROM_PLANE(type) bad += work_group_broadcast((type)own, x, y) != (type)from;
#define FROM_SPACE(type) bad += work_group_broadcast((type)own, x, y, z) != (type)from;
kernel void line(global uint* wrong) {
  const size_t own = get_global_id(0), x = get_group_id(0) * 7 + 2, from = get_group_id(0) * 12 + x;
  uint bad = 0;
  ALL(FROM_LINE)
  wrong[own] = bad;
}
kernel void plane(global uint* wrong) {
  const size_t x = get_group_id(0) + 1, y = 2 - get_group_id(1);
  const size_t own = get_global_linear_id(), from = (get_group_id(1) * 3 + y) * 8 + get_group_id(0) * 4 + x;
  uint bad = 0;
  ALL(FROM_PLANE)
  wrong[own] = bad;
}
kernel void space(global uint* wrong) {
  const size_t x = get_group_id(0), y = 2 - get_group_id(1), z = get_group_id(0) + 2;
  const size_t own = get_global_linear_id(), from = (z * 6 + get_group_id(1) * 3 + y) * 4 + get_group_id(0) * 2 + x;
  uint bad = 0;
  ALL(FROM_SPACE)
  wrong[own] = bad;
}
