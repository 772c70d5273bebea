// Markers: with a wait list they end when its events have; without one when all that its queue had before has ended, and what that
// enqueued. A marker that gives no event does nothing.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:8
//! arg rc = int:fill:7:3
//! expect out = 5 1 2 3 4 5 0 0
//! expect rc = 0 0 0
//! expect no faults
kernel void test(global int* out, global int* rc) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  clk_event_t first, both, all;
  const clk_event_t user = create_user_event();
  const clk_event_t list[] = {user, create_user_event()};
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, list, &first, ^{
    out[++out[0]] = 2;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[++out[0]] = 3; });
  });
  rc[0] = enqueue_marker(q, 2, list, &both);
  rc[1] = enqueue_marker(q, 0, 0, &all);
  rc[2] = enqueue_marker(q, 1, &user, 0);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &all, 0, ^{ out[++out[0]] = 5; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &both, 0, ^{ out[++out[0]] = 4; });
  // Behind the second marker, which does not wait for it.
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
    out[++out[0]] = 1;
    set_user_event_status(user, CL_COMPLETE);
  });
  set_user_event_status(list[1], CL_COMPLETE);
}
