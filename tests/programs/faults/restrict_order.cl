// Bytes that a work-item reads through a restrict pointer and another one, and changes through a third: whichever it reads by
// first. What nobody changes may be read by all.
//! check ub
//! global 4
//! buffer both = int:range:1:1:12
//! arg a = buffer both
//! arg b = buffer both
//! arg c = buffer both
//! expect both = 2 4 6 8 10 12 14 16 9 10 11 12
//! expect fault TSP-R0036 on both at 0 line 16
//! expect fault TSP-R0036 on both at 0 line 18
//! expect no faults
kernel void test(global int* restrict a, global int* b, global int* c) {
  int i = get_global_id(0);
  int x = b[i], y = a[i];
  c[i] = x + y;
  y = a[i + 4], x = b[i + 4];
  if (a[i + 8] == b[i + 8]) c[i + 4] = x + y;
}
