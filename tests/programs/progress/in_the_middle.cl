// Groups wait for later ones while some of their work-items stand at a barrier, and while a copy to local memory is under way: what each of
// them is in the middle of is of it alone.
//! options -cl-std=CL2.0
//! kernel meets
//! global 256
//! local 64
//! check all
//! arg flags = uint:zero:5
//! arg data = uint:range:0:1:256
//! arg out = uint:zero:256
//! launch
//! expect flags = 1 1 1 1 0
//! expect out[0..3] = 63 62 61 60
//! expect out[252..255] = 195 194 193 192
//! expect no faults
//! kernel copies
//! global 256
//! local 64
//! arg flags = uint:zero:5
//! arg data = uint:range:0:1:256
//! arg out = uint:zero:256
//! launch
//! expect flags = 1 1 1 1 0
//! expect out[0..3] = 63 62 61 60
//! expect out[252..255] = 195 194 193 192
//! expect no faults
void wait_for_next(global atomic_uint* flags) {
  const uint group = get_group_id(0);
  if (get_local_id(0) == 0 && group + 1 != get_num_groups(0))
    while (atomic_load_explicit(&flags[group + 1], memory_order_acquire, memory_scope_device) == 0) {
    }
}

void release_own(global atomic_uint* flags) {
  if (get_local_id(0) == 0)
    atomic_store_explicit(&flags[get_group_id(0)], 1, memory_order_release, memory_scope_device);
}

/// While work-items of later sub-groups stand at the barrier.
kernel void meets(global atomic_uint* flags, global const uint* data, global uint* out) {
  local uint tile[64];
  const uint i = get_local_id(0);
  tile[i] = data[get_global_id(0)];
  wait_for_next(flags);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - i];
  release_own(flags);
}

kernel void copies(global atomic_uint* flags, global const uint* data, global uint* out) {
  local uint tile[64];
  event_t copied = async_work_group_copy(tile, data + get_group_id(0) * 64, 64, 0);
  wait_for_next(flags);
  wait_group_events(1, &copied);
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
  release_own(flags);
}
