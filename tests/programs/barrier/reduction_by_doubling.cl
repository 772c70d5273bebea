// Reductions whose optimiser makes one barrier of that before the loop and that in it, and two loops of the one, which work-items
// go round differently.
//! kernel sums
//! global 99
//! local 33
//! check all
//! arg r = int:range:1:1:99
//! expect r[0] = 561
//! expect r[33] = 1650
//! launch
//! kernel totals
//! global 300
//! local 150
//! check all
//! arg r = int:fill:1:300
//! expect r[0..3] = 8 8 8 8
//! expect no faults
kernel void sums(global int* r) {
  local int t[64];
  t[get_local_id(0)] = 0;
  t[63 - get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
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
  size_t l = get_global_id(0);
  r[l] = r[l];
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint s = 1; s < get_local_size(0); s *= 2) {
    if (l % 2 == 5)
      r[l] = r[l] + s;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  r[l] = 8;
}
