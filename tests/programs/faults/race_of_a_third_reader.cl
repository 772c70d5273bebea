// All work-items of a group read a word, which another group writes behind those of two that release: the others' reads race with
// it, though nothing was released when they were made.
//! options -cl-std=CL2.0
//! global 128
//! local 64
//! check race
//! arg flags = uint:zero:2
//! arg data = uint:zero:1
//! arg out = uint:zero:64
//! expect fault TSP-R0100 on data line 24
kernel void test(global atomic_uint* flags, global uint* data, global uint* out) {
  const uint i = get_local_id(0);
  if (get_group_id(0) == 0) {
    out[i] = data[0];
    if (i < 2) atomic_store_explicit(&flags[i], 1, memory_order_release, memory_scope_device);
    return;
  }
  if (i != 0) return;
  for (uint k = 0; k < 2; ++k) {
    while (atomic_load_explicit(&flags[k], memory_order_acquire, memory_scope_device) == 0) {
    }
  }
  // Those of work-items 0 and 1 come before it, those of 2 and after do not.
  data[0] = 8;
}
