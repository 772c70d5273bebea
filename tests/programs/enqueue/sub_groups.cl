// Queries about sub-groups of what may be enqueued (cl_khr_subgroups), which are those that it then has.
//! global 1
//! options -cl-std=CL2.0
//! arg asked = uint:zero:16
//! arg had = uint:zero:16
//! expect asked = 2 32 7 32 4 32 8 32 6 32 8 32 32 32 7 32
//! expect had = 2 32 7 32 4 32 8 32 6 32 8 32 32 32 7 32
//! expect no faults
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define TRY(n, range)                                                                  \
  {                                                                                    \
    void (^const block)(void) = ^{                                                     \
      if (get_global_linear_id() == 0) {                                               \
        had[2 * n] = get_enqueued_num_sub_groups();                                    \
        had[2 * n + 1] = get_max_sub_group_size();                                     \
      }                                                                                \
    };                                                                                 \
    asked[2 * n] = get_kernel_sub_group_count_for_ndrange(range, block);               \
    asked[2 * n + 1] = get_kernel_max_sub_group_size_for_ndrange(range, block);        \
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range, block);      \
  }
kernel void test(global uint* asked, global uint* had) {
  const size_t plane[] = {20, 30}, group[] = {10, 10}, box[] = {8, 8, 8}, small[] = {8, 8, 4};
  TRY(0, ndrange_1D(64, 64))
  TRY(1, ndrange_1D(400, 200))
  TRY(2, ndrange_2D(plane, group))
  TRY(3, ndrange_3D(box, small))
  // Where the work-group size is chosen, and where the only work-group has fewer work-items than it would.
  TRY(4, ndrange_1D(190 * 7))
  TRY(5, ndrange_1D(1 << 12))
  TRY(6, ndrange_1D(50, 1024))
  TRY(7, ndrange_2D(plane))
}
