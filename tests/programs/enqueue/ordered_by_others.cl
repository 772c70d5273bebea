// The last kernel waits for one that enqueued another, which in turn waited for the first: so the first is before it, too.
//! global 1
//! options -cl-std=CL2.0
//! check race
//! arg out = int:zero:3
//! expect out = 1 1 1
//! expect no faults
kernel void test(global int* out) {
  const queue_t q = get_default_queue();
  clk_event_t first, middle;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &first, ^{ out[0] = 1; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &middle, ^{
    clk_event_t waits_for = first;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &waits_for, NULL, ^{
      out[1] = out[0];
    });
  });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &middle, NULL, ^{ out[2] = out[0]; });
}
