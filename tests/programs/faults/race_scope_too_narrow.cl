// The same with atomics that release and acquire, within their work-groups alone.
//! options -cl-std=CL2.0
//! kernel test
//! global 64
//! local 16
//! check race
//! arg part = uint:zero:64
//! arg n = uint:zero:1
//! arg out = uint:zero:1
//! expect fault TSP-R0100 on n at 16 line 14
//! expect fault TSP-R0100 on part at 63 line 16
kernel void test(global uint* part, global atomic_uint* n, global uint* out) {
  part[get_global_id(0)] = 1;
  if (atomic_fetch_add_explicit(n, 1, memory_order_acq_rel, memory_scope_work_group) != 63) return;
  uint sum = 0;
  for (int i = 0; i < 64; ++i) sum += part[i];
  out[0] = sum;
}
