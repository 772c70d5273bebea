// An asynchronous copy brings local memory to a buffer of which one element was never written. A copy within what was
// written is no finding, and neither is the fourth component of vectors of three.
//! global 64
//! local 64
//! check uninit
//! arg out = uint:zero:128
//! arg whole = float:zero:256
//! expect fault TSP-R0101 on out at 0 line 22
//! expect out[0] = 1
//! expect out[63] = 1
kernel void test(global uint* out, global float3* whole) {
  local uint t[64];
  local float3 v[64];
  const uint i = get_local_id(0);
  if (i != 5) t[i] = 1;
  v[i] = (float3)(1, 2, 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_copy(out + 64, t + 6, 58, 0);
  done = async_work_group_copy(whole, v, 64, done);
  wait_group_events(1, &done);
  barrier(CLK_LOCAL_MEM_FENCE);
  done = async_work_group_copy(out, t, 64, 0);
  wait_group_events(1, &done);
}
