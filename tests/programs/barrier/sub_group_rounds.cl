// Many barriers of sub-groups: what is known of those before takes no more memory the more there were of them in each.
//! options -cl-std=CL2.0
//! global 64
//! local 64
//! subgroup-size 32
//! check race
//! check-memory 64MiB
//! arg rounds = uint:999
//! arg out = uint:zero:64
//! expect out[0..3] = 1 0 3 2
//! expect no faults
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void swaps(uint rounds, global uint* out) {
  local uint words[64];
  const uint i = get_local_id(0);
  words[i] = i;
  for (uint round = 0; round < rounds; ++round) {
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = words[i ^ 1];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    words[i] = other;
  }
  out[i] = words[i];
}
