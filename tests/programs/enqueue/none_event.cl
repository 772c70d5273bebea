// An event that is none is found where it is used, at its line. What would wait for it is not enqueued.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:3
//! expect out = -57 0 -57
//! expect fault TSP-R0090 line 18
//! expect fault TSP-R0090 line 19
//! expect fault TSP-R0090 line 20
//! expect fault TSP-R0090 line 22
//! expect fault TSP-R0090 line 23
//! expect fault TSP-R0090 line 24
//! arg times = ulong:zero:2
//! expect times = 0 0
kernel void test(global int* out, global ulong* times) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  clk_event_t event = CLK_NULL_EVENT;
  release_event(event);
  retain_event(event);
  out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &event, 0, ^{ out[1] = 1; });
  // The enqueue fails: it gives no event.
  if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &event, &event, ^{ out[1] = 1; }) != 0)
    set_user_event_status(event, CL_COMPLETE);
  out[2] = enqueue_marker(q, 1, &event, &event);
}
