// A copy that goes beyond the buffer ends there, whatever its count.
//! global 64
//! local 64
//! arg in = uint:range:1:1:40
//! arg out = uint:zero:64
//! arg n = 4611686018427387904
//! expect fault TSP-R0020 at 0 line 14
//! expect out[0..1] = 1 2
//! expect out[38..41] = 39 40 0 0
kernel void test(global const uint* in, global uint* out, ulong n) {
  local uint tile[64];
  tile[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(tile, in, n, 0);
  wait_group_events(1, &e);
  out[get_local_id(0)] = tile[get_local_id(0)];
}
