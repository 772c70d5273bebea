// What no launch could have is not enqueued, and the kernel is told why.
//! global 1
//! options -cl-std=CL2.0 -g -cl-uniform-work-group-size
//! arg results = int:zero:5
//! arg out = int:zero:2
//! expect results = -160 0 -5 0 -160
//! expect out = 1 1
//! expect no faults
kernel void test(global int* results, global int* out) {
  const queue_t q = get_default_queue();
  // Work-groups that do not divide the global size, where all have one size.
  results[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10, 4), ^{ out[0] = 2; });
  results[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(12, 4), ^{ out[0] = 1; });
  // More local memory than the device has.
  const uint much = 1 << 30, some = 64;
  results[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local void* p) { out[1] = 2; }, much);
  results[3] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local void* p) { out[1] = 1; }, some);
  // More work-items than a work-group may have.
  results[4] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8192, 8192), ^{ out[0] = 3; });
}
