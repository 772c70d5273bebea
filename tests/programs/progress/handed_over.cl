// Groups hand data to groups before them, which wait for it, by an atomic that releases and one that acquires; what they have in
// local memory is of each of them alone, though they take turns.
//! options -cl-std=CL2.0
//! kernel chain
//! global 640
//! local 64
//! check all
//! arg flags = uint:zero:11
//! arg data = uint:zero:704
//! arg last = uint:9
//! launch
//! expect flags = 1 1 1 1 1 1 1 1 1 1 0
//! expect data[0..63] = fill:10
//! expect data[576..639] = fill:1
//! expect no faults
//! kernel meet
//! arg flags = uint:zero:11
//! arg data = uint:zero:704
//! arg last = uint:9
//! launch
//! expect flags[0] = 20
//! expect data[0..639] = fill:10
//! expect no faults
kernel void chain(global atomic_uint* flags, global uint* data, uint last) {
  const uint group = get_group_id(0), i = get_local_id(0);
  local uint tile[64];
  tile[i] = i;
  if (i == 0 && group != last)
    while (atomic_load_explicit(&flags[group + 1], memory_order_acquire, memory_scope_device) == 0) {
    }
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  data[group * 64 + i] = (group == last ? 0 : data[(group + 1) * 64 + tile[63 - i]]) + 1;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 7) atomic_store_explicit(&flags[group], 1, memory_order_release, memory_scope_device);
}

/// All groups meet twice; what one wrote before, the next one reads behind.
kernel void meet(global atomic_uint* flags, global uint* data, uint last) {
  const uint groups = get_num_groups(0), i = get_local_id(0);
  for (uint round = 0; round < 2; ++round) {
    const uint of = (get_group_id(0) + round) % groups;
    data[of * 64 + i] = round == 0 ? groups - 1 : data[of * 64 + i] + 1;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 0) {
      atomic_fetch_add_explicit(flags, 1, memory_order_acq_rel, memory_scope_device);
      while (atomic_load_explicit(flags, memory_order_acquire, memory_scope_device) <
             (round + 1) * groups) {
      }
    }
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
