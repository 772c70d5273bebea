// Kernels that were enqueued and cannot be launched are told of where they were; what waits for them is cancelled.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:3
//! expect out = 1 0 0
//! expect fault TSP-R0096 line 13
kernel void test(global int* out) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  clk_event_t failed;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[0] = 1; });
  // More private memory than a work-item may have.
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, &failed, ^{
    volatile int large[1u << 29];
    large[out[0]] = 1;
    out[1] = large[out[2]];
  });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &failed, 0, ^{ out[2] = 1; });
}
