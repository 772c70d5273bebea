// A command waits for the events of its list, whatever the order in which they were enqueued; an event stands for all that its
// command enqueued in turn. Events that have ended are waited for, too.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:8
//! arg rc = int:fill:7:5
//! expect out = 5 4 40 1 10 11 2 3
//! expect rc = 0 0 0 0 0
//! expect no faults
kernel void test(global int* out, global int* rc) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  const clk_event_t user = create_user_event();
  clk_event_t first, second, both[2];

  // Waits for what the program completes last of all.
  rc[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &user, &first, ^{ out[++out[0]] = 4; });
  // This one ends when the one that it enqueues has.
  rc[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &first, &second, ^{
    out[++out[0]] = 40;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[++out[0]] = 1; });
  });
  both[0] = second;
  both[1] = first;
  rc[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 2, both, 0, ^{
    out[++out[0]] = 10;
    out[++out[0]] = 11;
  });
  rc[3] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 2, both, 0, ^{ out[6] = 2; });
  set_user_event_status(user, CL_COMPLETE);
  rc[4] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &user, 0, ^{ out[7] = 3; });
  release_event(first);
  release_event(second);
  release_event(user);
}
