// The two halves of a group wait for one copy at places of their own: they part, and that the copy was waited for by the other
// half is no second finding.
//! global 64
//! local 64
//! check sync
//! arg in = int:range:0:1:64
//! arg out = int:zero:64
//! expect fault TSP-R0040 at 0 line 15
//! expect out[0] = 1
kernel void test(global const int* in, global int* out) {
  local int tile[64];
  const size_t i = get_local_id(0);
  event_t event = async_work_group_copy(tile, in, 64, 0);
  if (i < 32) {
    wait_group_events(1, &event);
    out[i] = 1;
  } else {
    out[i] = 2;
    wait_group_events(1, &event);
  }
}
