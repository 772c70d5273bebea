// A kernel has failed when one that it enqueued has: what waits for it is cancelled, whatever it did itself. Markers are no kernels.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:5
//! expect out = 1 0 0 1 1
//! expect no faults
kernel void test(global int* out) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  clk_event_t parent, marking;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, &parent, ^{
    out[0] = 1;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
      const clk_event_t failed = create_user_event();
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &failed, 0, ^{ out[1] = 1; });
      set_user_event_status(failed, -1);
    });
  });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &parent, 0, ^{ out[2] = 1; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, &marking, ^{
    const clk_event_t failed = create_user_event();
    clk_event_t marker;
    enqueue_marker(get_default_queue(), 1, &failed, &marker);
    set_user_event_status(failed, -1);
    out[3] = 1;
  });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &marking, 0, ^{ out[4] = 1; });
}
