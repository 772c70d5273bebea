// Asynchronous copies: whole, strided both ways, one event for several, several events, vectors of three.
//! options -cl-std=CL2.0
//! global 96
//! local 48
//! arg in = uint:range:0:1:288
//! arg triples = uint3:range:0:1:96
//! arg out = uint:zero:480
//! arg sums = uint:zero:96
//! expect out[0..5] = 47 0 46 0 45 0
//! expect out[90..99] = 2 0 1 0 0 0 95 0 94 0
//! expect sums[0..3] = 3 16 29 42
//! expect sums[47..48] = 614 627
//! expect sums[95] = 1238
kernel void test(global const uint* in, global const uint3* triples, global uint* out, global uint* sums) {
  local uint a[48], b[48], c[48], d[48];
  local uint3 t[48];
  size_t group = get_group_id(0), l = get_local_id(0);
  event_t one = async_work_group_copy(a, in + group * 48, 48, 0);
  one = async_work_group_strided_copy(b, in + group * 96, 48, 2, one);
  event_t more[2];
  more[0] = async_work_group_copy(t, triples + group * 48, 48, 0);
  more[1] = async_work_group_copy(c, in + group * 48, 48, 0);
  wait_group_events(1, &one);
  wait_group_events(2, more);
  sums[get_global_id(0)] = a[l] + b[l] + c[l] + t[l].x + t[l].y + t[l].z;
  d[l] = a[47 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  one = async_work_group_strided_copy(out + group * 96, d, 48, 2, 0);
  wait_group_events(1, &one);
  prefetch(in, 4);
}
