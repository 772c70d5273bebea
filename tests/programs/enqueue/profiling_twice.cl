// The times of an event are asked for twice, and those of a user event, which has none.
//! # reads a clock: no two runs give the same bytes
//! global 1
//! options -cl-std=CL2.0
//! arg times = ulong:zero:6
//! arg out = int:zero:1
//! expect out = 1
//! expect fault TSP-R0097 line 17
//! expect fault TSP-R0097 line 18
//! expect times = zero:6
kernel void test(global ulong* times, global int* out) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  clk_event_t event, user = create_user_event();
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, &event, ^{ out[0] = 1; });
  capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times);
  capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times + 2);
  capture_event_profiling_info(user, CLK_PROFILING_COMMAND_EXEC_TIME, times + 4);
  set_user_event_status(user, CL_COMPLETE);
  // Results are compared: times are not the same twice.
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(6), 1, &event, 0, ^{ times[get_global_id(0)] = 0; });
}
