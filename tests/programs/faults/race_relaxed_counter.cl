// Who counts last adds up what all have written, but the counter's atomics are relaxed and order nothing.
//! options -cl-std=CL2.0
//! kernel test
//! global 64
//! local 16
//! check race
//! arg part = uint:zero:64
//! arg n = uint:zero:1
//! arg out = uint:zero:1
//! expect fault TSP-R0100 on part at 63 line 15
kernel void test(global uint* part, global atomic_uint* n, global uint* out) {
  part[get_global_id(0)] = 1;
  if (atomic_fetch_add_explicit(n, 1, memory_order_relaxed, memory_scope_device) != 63) return;
  uint sum = 0;
  for (int i = 0; i < 64; ++i) sum += part[i];
  out[0] = sum;
}
