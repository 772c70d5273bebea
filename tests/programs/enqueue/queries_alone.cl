// Queries about blocks that nothing enqueues.
//! global 1
//! options -cl-std=CL3.0
//! subgroup-size 8
//! arg out = uint:zero:6
//! expect out = 7 0 8 1 1 0
//! expect no faults
kernel void test(global uint* out) {
  void (^const plain)(void) = ^{ out[5] = 1; };
  void (^const with_local)(local void*) = ^(local void* memory) { *(local uint*)memory = out[5]; };
  out[0] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(100, 50), ^{ out[5] = 2; });
  out[1] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(0, 50), ^{ out[5] = 3; });
  out[2] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(100, 50), plain);
  out[3] = get_kernel_work_group_size(with_local) >= 1;
  out[4] = get_kernel_preferred_work_group_size_multiple(with_local) >= 1;
}
