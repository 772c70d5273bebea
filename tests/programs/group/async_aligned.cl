// Asynchronous copies of vectors from and to multiples of their alignment have no finding, whatever the pointers were cast from.
//! options -cl-std=CL1.2
//! check all
//! global 8
//! local 8
//! arg in = int:range:0:1:36
//! arg out = int:zero:36
//! arg first = 4
//! expect no faults
//! expect out[0..4] = 0 0 0 0 4
//! expect out[32..35] = 32 33 34 35
kernel void test(const global int* in, global int* out, int first) {
  local int4 tile[8];
  event_t e = async_work_group_copy(tile, (const global int4*)(in + first), 8, 0);
  wait_group_events(1, &e);
  e = async_work_group_copy((global int4*)(out + first), tile, 8, 0);
  wait_group_events(1, &e);
}
