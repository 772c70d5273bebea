// A turn that goes round all groups several times: those that wait see it change each time.
//! global 1024
//! local 64
//! arg turn = uint:zero:1
//! arg rounds = uint:3
//! expect turn = 48
kernel void rounds(volatile global uint* turn, uint rounds) {
  const uint group = get_group_id(0), groups = get_num_groups(0);
  for (uint round = 0; round < rounds; ++round) {
    if (get_local_id(0) == 0)
      while (atomic_or(turn, 0) != round * groups + group) {
      }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 5) atomic_inc(turn);
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
