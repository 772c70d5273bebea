// Asynchronous copies of vectors from and to places that are no multiple of their alignment are found, and made.
//! options -cl-std=CL1.2
//! global 8
//! local 8
//! arg in = int:range:0:1:36
//! arg out = int:zero:36
//! arg first = 1
//! launch
//! expect fault TSP-R0023 on in line 15:15
//! expect fault TSP-R0023 on out line 17:7
//! expect out[0..4] = 0 1 2 3 4
//! expect out[32] = 32
kernel void test(const global int* in, global int* out, int first) {
  local int4 tile[8];
  event_t e = async_work_group_copy(tile, (const global int4*)(in + first), 8, 0);
  wait_group_events(1, &e);
  e = async_work_group_copy((global int4*)(out + first), tile, 8, 0);
  wait_group_events(1, &e);
}
