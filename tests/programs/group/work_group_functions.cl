// Every function of a work-group that OpenCL C 2.0 has, against loops over the group's values.
//! options -cl-std=CL2.0
//! global 600  # vary: local
//! arg in = int:random:5:-1000:1000:600
//! arg wrong = uint:zero:600
//! expect wrong = uint:fill:0
#define CHECK(type, name, value)                                                          \
  {                                                                                       \
    type sum = (type)0, low = value(first), high = value(first);                          \
    type sum_to = (type)0, low_to = value(first), high_to = value(first), before = (type)0; \
    for (size_t k = first; k < first + n; ++k) {                                          \
      type v = value(k);                                                                  \
      if (k <= i) low_to = min(low_to, v), high_to = max(high_to, v);                     \
      if (k == i) before = sum;                                                           \
      sum += v;                                                                           \
      if (k == i) sum_to = sum;                                                           \
      low = min(low, v), high = max(high, v);                                             \
    }                                                                                     \
    type own = value(i);                                                                  \
    bad += work_group_reduce_add(own) != sum;                                             \
    bad += work_group_reduce_min(own) != low;                                             \
    bad += work_group_reduce_max(own) != high;                                            \
    bad += work_group_scan_inclusive_add(own) != sum_to;                                  \
    bad += work_group_scan_inclusive_min(own) != low_to;                                  \
    bad += work_group_scan_inclusive_max(own) != high_to;                                 \
    bad += work_group_scan_exclusive_add(own) != before;                                  \
    bad += work_group_broadcast(own, n / 2) != value(first + n / 2);                      \
  }
#define PLAIN(k) in[k]
#define UNSIGNED(k) (uint)in[k]
#define WIDE(k) ((long)in[k] << 33)
#define UWIDE(k) (ulong)((long)in[k] << 33)
#define SINGLE(k) (float)in[k] * 0.3f
#define TWICE(k) (double)in[k] * 0.3
kernel void test(global const int* in, global uint* wrong) {
  size_t i = get_global_id(0), first = get_group_id(0) * get_enqueued_local_size(0), n = get_local_size(0);
  uint bad = 0;
  CHECK(int, int, PLAIN)
  CHECK(uint, uint, UNSIGNED)
  CHECK(long, long, WIDE)
  CHECK(ulong, ulong, UWIDE)
  CHECK(float, float, SINGLE)
  CHECK(double, double, TWICE)
  bool any = false, all = true;
  for (size_t k = first; k < first + n; ++k) any |= in[k] == 500, all &= in[k] > -999;
  bad += (work_group_any(in[i] == 500) != 0) != any;
  bad += (work_group_all(in[i] > -999) != 0) != all;
  wrong[i] = bad;
}
