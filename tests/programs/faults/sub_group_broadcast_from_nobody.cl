// The last sub-group of each work-group is one work-item, which has no work-item 5: the result is 0 in every batch.
//! options -cl-std=CL2.0
//! global 66
//! local 33
//! arg out = uint:uninit:66
//! expect out[0..31] = fill:5
//! expect out[32] = 0
//! expect out[33..64] = fill:38
//! expect out[65] = 0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void test(global uint* out) {
  uint g = get_global_id(0);
  out[g] = sub_group_broadcast(g, 5u);
}
