// What is enqueued has sub-groups of the launch's size, not of the size that the kernel which enqueues it requires.
//! global 1
//! subgroup-size 8
//! options -cl-std=CL2.0
//! arg asked = uint:zero:3
//! arg had = uint:zero:3
//! expect asked = 8 13 16
//! expect had = 8 13 16
//! expect no faults
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16)))
kernel void test(global uint* asked, global uint* had) {
  void (^const block)(void) = ^{
    if (get_global_linear_id() == 0) {
      had[0] = get_max_sub_group_size();
      had[1] = get_enqueued_num_sub_groups();
    }
  };
  const ndrange_t range = ndrange_1D(200, 100);
  asked[0] = get_kernel_max_sub_group_size_for_ndrange(range, block);
  asked[1] = get_kernel_sub_group_count_for_ndrange(range, block);
  asked[2] = had[2] = get_max_sub_group_size();
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range, block);
}
