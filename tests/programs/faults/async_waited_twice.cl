// An event is none once it was waited for; a list may name one several times.
//! options -cl-std=CL1.2
//! global 64
//! local 64
//! check sync
//! arg in = int:range:0:1:128
//! arg out = int:zero:64
//! expect fault TSP-R0044 at 0 line 18
//! expect out = int:range:64:1:64
kernel void test(global const int* in, global int* out) {
  local int tile[128];
  event_t events[2];
  events[0] = async_work_group_copy(tile, in, 64, 0);
  events[1] = async_work_group_copy(tile + 64, in + 64, 64, events[0]);
  wait_group_events(2, events);
  out[get_local_id(0)] = tile[64 + get_local_id(0)];
  // Released above.
  wait_group_events(1, events);
}
