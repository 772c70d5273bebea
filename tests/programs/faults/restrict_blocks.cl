// Blocks that a sub-group reads and writes: each work-item has its element of them.
//! options -cl-std=CL2.0
//! check ub
//! global 16
//! local 16
//! subgroup-size 8
//! buffer both = uint:range:1:1:48
//! arg a = buffer both
//! arg b = buffer both
//! expect fault TSP-R0036 on both at 0 line 15
//! expect no faults
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
kernel void test(global uint* restrict a, global uint* restrict b) {
  const uint at = get_sub_group_id() * 8;
  intel_sub_group_block_write(b + at, intel_sub_group_block_read(a + at) + 1);
  intel_sub_group_block_write(b + at + 32, intel_sub_group_block_read(a + at + 16) + 1);
}
