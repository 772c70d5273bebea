// Asynchronous copies of work-groups are not supported; the instruction is named.
//! kernel test
//! global 64
//! local 64
//! arg in = float:zero:64
//! arg out = float:zero:64
//! expect refused TSP-U0001
kernel void test(global const float* in, global float* out) {
  local float tile[64];
  event_t e = async_work_group_copy(tile, in, 64, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = tile[get_local_id(0)];
}
