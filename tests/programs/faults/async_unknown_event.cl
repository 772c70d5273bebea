// The second event of the list was never set.
//! global 64
//! local 64
//! arg out = uint:zero:64
//! expect fault TSP-R0044 at 0 line 11
//! expect out = uint:fill:7:64
kernel void test(global uint* out) {
  event_t events[2];
  local uint tile[64];
  events[0] = async_work_group_copy(tile, out, 64, 0);
  wait_group_events(2, events);
  out[get_local_id(0)] = tile[get_local_id(0)] + 7;
}
