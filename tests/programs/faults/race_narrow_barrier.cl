// A barrier whose memory scope is the sub-group orders what is before it for its sub-group alone.
//! options -cl-std=CL2.0
//! global 128
//! local 128
//! check race
//! arg out = uint:zero:256
//! expect fault TSP-R0100 on out at 0 line 15
//! expect fault TSP-R0100 on out at 0 line 19
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void test(global uint* out) {
  const size_t i = get_local_id(0);
  out[i] = i;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group);
  const uint near = out[i ^ 1];
  const uint far = out[i ^ 64];
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[128 + i] = near + far;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_item);
  if (i == 0) out[0] = out[129];
}
