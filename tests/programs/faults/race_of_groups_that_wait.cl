// Groups that wait for each other and take turns race all the same: what they hand over without an order, what one of them reads while
// others wait, and, within a group, local memory that was read before it waited and is written behind.
//! options -cl-std=CL2.0
//! global 192
//! local 64
//! check race
//! arg flags = uint:zero:4
//! arg data = uint:zero:4
//! arg out = uint:zero:192
//! expect fault TSP-R0100 on data line 22
//! expect fault TSP-R0100 on test.tile line 23
kernel void test(global atomic_uint* flags, global uint* data, global uint* out) {
  const uint group = get_group_id(0), i = get_local_id(0);
  local uint tile[64];
  tile[i] = i;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  const uint seen = tile[63 - i];
  if (i == 0) {
    if (group == 2) data[0] = 1;
    while (group != 2 && atomic_load_explicit(&flags[group + 1], memory_order_relaxed, memory_scope_device) == 0) {
    }
    const uint handed = data[0];
    if (group != 2) tile[5] = handed;
    atomic_store_explicit(&flags[group], 1, memory_order_relaxed, memory_scope_device);
  }
  out[get_global_id(0)] = seen;
}
