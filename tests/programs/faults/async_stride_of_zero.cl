// Asynchronous copies with a stride of zero are undefined, whichever side has it: here every element comes from, or goes to, one place.
//! options -cl-std=CL1.2
//! check ub
//! global 8
//! local 8
//! arg in = int:range:5:1:8
//! arg out = int:zero:8
//! arg stride = 0
//! launch
//! expect fault TSP-R0067 line 15:15
//! expect fault TSP-R0067 line 18:7
//! expect out = 5 0 0 0 0 0 0 0
kernel void test(const global int* in, global int* out, int stride) {
  local int tile[8];
  event_t e = async_work_group_strided_copy(tile, in, 8, stride, 0);
  wait_group_events(1, &e);
  // To the first one, the last as well.
  e = async_work_group_strided_copy(out, tile, 8, stride, 0);
  wait_group_events(1, &e);
}
