// User events, and how long events live: whoever set one to an error cancels what waits for it, and what waits for that. What waits for
// an event keeps it; one that was released as often as it was made and retained is none.
//! kernel test
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:6
//! arg valid = int:zero:8
//! expect out = 0 0 0 1 2 3
//! expect valid = 0 1 1 1 1 0 0 1
//! expect no faults
kernel void test(global int* out, global int* valid) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  const clk_event_t failing = create_user_event(), user = create_user_event();
  clk_event_t cancelled, marker, unused;
  valid[0] = is_valid_event(CLK_NULL_EVENT);
  valid[1] = is_valid_event(user);
  retain_event(user);
  release_event(user);
  valid[2] = is_valid_event(user);

  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &failing, &cancelled, ^{ out[0] = 1; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &cancelled, 0, ^{ out[1] = 1; });
  enqueue_marker(q, 1, &cancelled, &marker);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &marker, 0, ^{ out[2] = 1; });
  set_user_event_status(failing, -5);
  valid[3] = is_valid_event(failing);
  valid[4] = is_valid_event(cancelled);

  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &user, &unused, ^{ out[3] = 1; });
  release_event(unused);
  valid[5] = is_valid_event(unused);
  // An event may be handed to what is enqueued, which sets its status.
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
    out[4] = 2;
    set_user_event_status(user, CL_COMPLETE);
    release_event(user);
    valid[6] = is_valid_event(user);
  });
  const clk_event_t early = create_user_event();
  set_user_event_status(early, CL_COMPLETE);
  valid[7] = is_valid_event(early);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &early, 0, ^{ out[5] = 3; });
  release_event(early);
}
