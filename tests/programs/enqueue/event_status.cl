// The status is set of an event that is not the kernel's own, twice, or to what it cannot be.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:2
//! expect out = 1 2
//! expect fault TSP-R0092 line 15
//! expect fault TSP-R0092 line 16
//! expect fault TSP-R0092 line 18
kernel void test(global int* out) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  const clk_event_t user = create_user_event();
  clk_event_t event;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, &event, ^{ out[0] = 1; });
  set_user_event_status(event, -1);
  set_user_event_status(user, CL_SUBMITTED);
  set_user_event_status(user, CL_COMPLETE);
  set_user_event_status(user, -1);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &user, 0, ^{ out[1] = 2; });
}
