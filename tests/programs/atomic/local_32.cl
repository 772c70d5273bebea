// Atomic functions on local memory: a histogram and extremes of each group.
//! global 600
//! local 150
//! arg bins_out = uint:zero:32
//! arg low_out = int:zero:4
//! arg high_out = int:zero:4
//! expect bins_out[0..31] = 22 43 42 0 43 0 0 2175 21 42 44 0 43 0 0 6675 22 44 42 0 42 0 0 11175 21 42 44 0 43 0 0 15675
//! expect low_out[0..3] = -500 -499 -490 -498
//! expect high_out[0..3] = 505 506 502 507
kernel void test(global uint* bins_out, global int* low_out, global int* high_out) {
  local uint bins[8];
  local int low, high;
  uint n = get_global_id(0), l = get_local_id(0);
  if (l < 8) bins[l] = 0;
  if (l == 0) {
    low = 1000000;
    high = -1000000;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[n * n % 7]);
  int v = (int)(n * 7919 % 1009) - 500;
  atomic_min(&low, v);
  atomic_max(&high, v);
  if (n % 5 == 0) atomic_add(&bins[7], n);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint g = get_group_id(0);
  if (l < 8) bins_out[g * 8 + l] = bins[l];
  if (l == 8) low_out[g] = low;
  if (l == 9) high_out[g] = high;
}
