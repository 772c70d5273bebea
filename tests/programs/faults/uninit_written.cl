// Buffers, local memory and variables that are written before they are read; by atomics and copies, too.
//! global 64
//! local 64
//! check uninit
//! arg scratch = uint:uninit:64
//! arg out = uint:zero:64
//! expect out = uint:fill:133:64
kernel void test(global uint* scratch, global uint* out) {
  local uint t[64], sum;
  uint x[4];
  const uint i = get_local_id(0);
  for (uint k = 0; k < 4; ++k) x[k] = k;
  scratch[i] = 2;
  if (i == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const event_t copied = async_work_group_copy(t, scratch, 64, 0);
  atomic_add(&sum, 2);
  wait_group_events(1, &copied);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sum + t[63 - i] + x[(i & 0) + 3];
}
