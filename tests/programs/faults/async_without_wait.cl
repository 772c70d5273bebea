// Nobody waits for the copy: it is made when the group ends.
//! global 128
//! local 64
//! check sync
//! arg in = uint:range:1:1:128
//! arg out = uint:zero:128
//! expect fault TSP-R0043 at 0 line 14
//! expect out = uint:range:1:1:128
kernel void test(global const uint* in, global uint* out) {
  local uint tile[64];
  size_t group = get_group_id(0);
  event_t e = async_work_group_copy(tile, in + group * 64, 64, 0);
  wait_group_events(1, &e);
  async_work_group_copy(out + group * 64, tile, 64, 0);
}
