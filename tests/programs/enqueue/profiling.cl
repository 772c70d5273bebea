// capture_event_profiling_info writes when the command is complete: how long it ran, and how long until all that it enqueued was
// complete, which is no less.
//! # reads a clock: no two runs give the same bytes
//! global 1
//! options -cl-std=CL2.0
//! arg times = ulong:fill:1000000000000000:6
//! arg out = int:zero:5
//! expect out = 1 1 1 1 1
//! expect times = zero:6
//! expect no faults
kernel void test(global ulong* times, global int* out) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  const ulong unwritten = 1000000000000000;
  clk_event_t parent, quick, last, ended[2];
  out[0] = times[0] == unwritten;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, &parent, ^{
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[4] = times[0] == unwritten; });
  });
  ended[0] = parent;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, &quick, ^{ out[1] = 1; });
  ended[1] = quick;
  capture_event_profiling_info(parent, CLK_PROFILING_COMMAND_EXEC_TIME, times);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 2, ended, &last, ^{
    const ulong second = 1000000000;
    out[1] = times[0] <= times[1] && times[1] < 60 * second;
    // It has ended: what is asked for is written at once.
    capture_event_profiling_info(quick, CLK_PROFILING_COMMAND_EXEC_TIME, times + 2);
    out[2] = times[2] <= times[3] && times[3] < 60 * second;
  });
  // Results are compared: times are not the same twice.
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(6), 1, &last, 0, ^{
    out[3] = 1;
    times[get_global_id(0)] = 0;
  });
}
