// An event is released more often than it was made and retained, or used after that.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:3
//! arg times = ulong:zero:2
//! expect out = 5 -57 0
//! expect times = 0 0
//! expect fault TSP-R0091 line 21
//! expect fault TSP-R0091 line 22
//! expect fault TSP-R0091 line 23
//! expect fault TSP-R0091 line 24
//! expect fault TSP-R0091 line 25
kernel void test(global int* out, global ulong* times) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  clk_event_t event;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, &event, ^{ out[0] = 5; });
  const clk_event_t user = create_user_event();
  release_event(event);
  release_event(user);
  release_event(event);
  retain_event(event);
  out[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &event, 0, ^{ out[2] = 1; });
  set_user_event_status(user, CL_COMPLETE);
  capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times);
}
