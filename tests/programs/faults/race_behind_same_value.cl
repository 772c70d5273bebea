// Two groups store the same, which is no finding. Who comes behind one of them, and stores something else, races with the other.
//! options -cl-std=CL2.0
//! kernel stores
//! global 192
//! local 64
//! check race
//! arg flag = uint:zero:1
//! arg data = uint:zero:1
//! launch
//! expect fault TSP-R0100 on data line 32:11
//! kernel behind_barrier
//! global 128
//! local 64
//! arg data = uint:zero:1
//! launch
//! expect fault TSP-R0100 on data line 40:59
//! kernel alike
//! global 128
//! local 64
//! arg data = uint:zero:1
//! launch
//! expect data = 3

kernel void stores(global atomic_uint* flag, global uint* data) {
  if (get_local_id(0) != 0) return;
  const uint group = get_group_id(0);
  if (group < 2) *data = 1;
  if (group == 1) atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  if (group == 2) {
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0) {
    }
    *data = 2;
  }
}

/// The last group of all does so behind its own store alone.
kernel void behind_barrier(global uint* data) {
  if (get_local_id(0) == 0) *data = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_group_id(0) == 1 && get_local_id(0) == 1) *data = 2;
}

kernel void alike(global uint* data) {
  *data = 3;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 5) *data = 3;
}
