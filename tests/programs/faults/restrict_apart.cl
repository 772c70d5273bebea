// Pointers that are restrict, to two buffers, and to two halves of one, which no work-item reaches by both. No finding.
//! check ub
//! global 4
//! buffer both = int:range:1:1:8
//! arg a = buffer both
//! arg b = buffer both
//! arg out = int:zero:4
//! expect out = 5 6 7 8
//! expect both = 6 7 8 9 5 6 7 8
//! expect no faults
kernel void test(global int* restrict a, global int* restrict b, global int* restrict out) {
  const int i = get_global_id(0);
  out[i] = b[i + 4];
  a[i] = a[i] + 5;
}
