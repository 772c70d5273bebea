// Where there is no default queue, get_default_queue() gives none, and a queue that an argument names is there all the same.
//! global 1
//! options -cl-std=CL2.0
//! default-queue none
//! queue given 1KiB
//! arg given = queue given
//! arg out = int:zero:4
//! expect out = -102 -102 0 7
//! expect no faults
kernel void test(queue_t given, global int* out) {
  const ndrange_t one = ndrange_1D(1);
  out[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[3] = 1; });
  out[2] = enqueue_kernel(given, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
    out[3] = 7;
    out[1] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[3] = 2; });
  });
}
