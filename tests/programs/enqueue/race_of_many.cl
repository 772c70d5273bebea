// The first 1,023 kernels that a launch enqueues are compared with each other. That there are more is told, not what these do.
//! global 1024
//! options -cl-std=CL2.0
//! check race
//! arg out = uint:zero:2
//! expect out = 511 1
//! expect fault TSP-R0102 on out line 15
//! expect fault TSP-L0010
kernel void test(global uint* out) {
  const uint i = get_global_id(0);
  if (i != 511 && i != 510 && i < 1022)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ (void)i; });
  if (i == 511 || i == 510)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
      out[0] = i;
    });
  if (i >= 1022)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[1] = 1; });
}
