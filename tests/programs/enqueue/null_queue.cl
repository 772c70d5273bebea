// A null queue is none to enqueue to, which the function's result says; nothing runs. The device's own one takes the block.
//! options -cl-std=CL2.0
//! global 1
//! arg none = null
//! arg out = int:fill:9:3
//! expect out = -102 0 1
//! expect no faults
kernel void test(queue_t none, global int* out) {
  const ndrange_t one = ndrange_1D(1);
  out[0] = enqueue_kernel(none, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[2] = 7; });
  out[1] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[2] = 1; });
}
