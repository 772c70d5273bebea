// Events and times in memory that is not aligned for them: told of, and done all the same.
//! # reads a clock: no two runs give the same bytes
//! global 1
//! options -cl-std=CL2.0
//! arg room = ulong:zero:8
//! arg out = int:zero:4
//! expect out = 0 0 1 1
//! expect fault TSP-R0023 on room line 19
//! expect fault TSP-R0023 on room line 20
//! expect fault TSP-R0023 on room line 21
//! expect fault TSP-R0023 on room line 22
//! expect room = zero:8
kernel void test(global ulong* room, global int* out) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  generic clk_event_t* const odd = (generic clk_event_t*)((generic char*)room + 17);
  clk_event_t last;

  out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, odd, ^{ out[2] = 1; });
  out[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, odd, &last, ^{ out[3] = 1; });
  enqueue_marker(q, 1, &last, (generic clk_event_t*)((generic char*)room + 33));
  capture_event_profiling_info(last, CLK_PROFILING_COMMAND_EXEC_TIME, (global char*)room + 44);
  // Results are compared: times are not the same twice.
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(8), 1, &last, 0, ^{ room[get_global_id(0)] = 0; });
}
