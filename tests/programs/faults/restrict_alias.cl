// One buffer is bound to two pointers, one of which is restrict, and a work-item stores by one what it loads by the other. What
// is only loaded by both is in order, and so are two pointers to different elements.
//! check ub
//! global 4
//! buffer both = int:range:1:1:8
//! arg a = buffer both
//! arg b = buffer both
//! arg out = int:zero:4
//! expect out = 12 14 16 18
//! expect both = 6 7 8 9 5 6 7 8
//! expect fault TSP-R0036 on both at 0 line 16
//! expect fault TSP-R0036 on both at 0 line 18
//! expect no faults
kernel void test(global int* restrict a, global int* b, global int* out) {
  const int i = get_global_id(0);
  b[i] = a[i] + 5;
  // The upper half is not written by anybody.
  out[i] = a[i + 4] + b[i] + (a[i + 4] == b[i + 4] ? 1 : 0);
}
