// A group releases a flag and only then copies to global memory, or from it, what another group reads or writes that has seen the flag: in
// no order.
//! options -cl-std=CL2.0
//! kernel copies_to
//! global 128
//! local 64
//! check race
//! arg flag = uint:zero:1
//! arg data = uint:range:5:1:64
//! arg out = uint:zero:1
//! launch
//! expect fault TSP-R0100 on data
//! kernel copies_from
//! arg flag = uint:zero:1
//! arg data = uint:range:5:1:64
//! arg out = uint:zero:64
//! launch
//! expect fault TSP-R0100 on data
void release(global atomic_uint* flag) {
  atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
}

void wait_for(global atomic_uint* flag) {
  while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0) {
  }
}

kernel void copies_to(global atomic_uint* flag, global uint* data, global uint* out) {
  local uint tile[64];
  const uint i = get_local_id(0);
  if (get_group_id(0) == 0) {
    tile[i] = i + 5;
    if (i == 7) release(flag);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    event_t copied = async_work_group_copy(data, tile, 64, 0);
    wait_group_events(1, &copied);
  } else if (i == 0) {
    wait_for(flag);
    out[0] = data[3];
  }
}

kernel void copies_from(global atomic_uint* flag, global uint* data, global uint* out) {
  local uint tile[64];
  const uint i = get_local_id(0);
  if (get_group_id(0) == 0) {
    if (i == 7) release(flag);
    event_t copied = async_work_group_copy(tile, data, 64, 0);
    wait_group_events(1, &copied);
    out[i] = tile[i];
  } else if (i == 0) {
    wait_for(flag);
    data[3] = 1;
  }
}
