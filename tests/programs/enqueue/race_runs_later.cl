// A kernel that is enqueued first and runs last races as well: which of two runs first here says nothing.
//! global 1
//! options -cl-std=CL2.0
//! check race
//! arg out = int:zero:2
//! expect out = 2 0
//! expect fault TSP-R0102 on out line 16
#define ONE CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1)
kernel void test(global int* out) {
  const queue_t q = get_default_queue();
  clk_event_t first, second;
  enqueue_kernel(q, ONE, 0, NULL, &first, ^{});
  enqueue_kernel(q, ONE, 1, &first, &second, ^{});
  // Behind these two; the last one is ready before.
  enqueue_kernel(q, ONE, 1, &second, NULL,
                 ^{ out[0] = 2; });
  enqueue_kernel(q, ONE, ^{ out[1] = out[0]; });
  release_event(first);
  release_event(second);
}
