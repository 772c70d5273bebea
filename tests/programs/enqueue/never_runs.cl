// What waits for an event that nobody ends never runs, nor what waits for that; the rest does.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:3
//! expect out = 1 0 0
//! expect fault TSP-R0095 line 13
//! expect fault TSP-R0095 line 14
kernel void test(global int* out) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  const clk_event_t user = create_user_event();
  clk_event_t stuck;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &user, &stuck, ^{ out[1] = 1; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &stuck, 0, ^{ out[2] = 1; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[0] = 1; });
}
