// Reductions whose optimiser makes one barrier of that before the loop and that in it, and two loops of the one, which work-items
// go round differently.
//! kernel sums
//! global 96
//! local 32
//! arg r = int:range:1:1:96
//! expect r[0] = 528
//! expect r[32] = 1552
//! expect r[64..65] = 2576 66
//! launch
//! kernel totals
//! global 256
//! local 256
//! arg r = int:fill:1:512
//! expect r[256..260] = 256 1 2 1 4
//! expect no faults
kernel void sums(global int* r) {
  local int t[1024];
  t[get_local_id(0)] = r[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < get_local_size(0); s *= 2) {
    if (get_local_id(0) % (2 * s) == 0)
      t[get_local_id(0)] += t[get_local_id(0) + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_local_id(0) == 0) r[get_global_id(0)] = t[0];
}

kernel void totals(global int* r) {
  size_t l = get_local_id(0);
  r[256 + l] = r[l];
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint s = 1; s < get_local_size(0); s *= 2) {
    if (l % (2 * s) == 0)
      r[256 + l] = r[256 + l] + r[256 + l + s];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
