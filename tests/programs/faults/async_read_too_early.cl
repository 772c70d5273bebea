// Local memory is read before the copy into it was waited for: the old bytes are there.
//! global 64
//! local 64
//! check sync
//! arg in = uint:range:1:1:64
//! arg out = uint:zero:64
//! expect fault TSP-R0042 at 0 line 15
//! expect out = uint:range:100:1:64
kernel void test(global const uint* in, global uint* out) {
  local uint tile[64];
  size_t l = get_local_id(0);
  tile[l] = l + 100;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(tile, in, 64, 0);
  out[l] = tile[l];
  wait_group_events(1, &e);
}
