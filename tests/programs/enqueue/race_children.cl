// Kernels that are enqueued race with each other, and with what other work-groups of their parent do, where no event and no
// flag orders them; with what their own work-group did before it enqueued them they do not.
//! global 2
//! local 1
//! options -cl-std=CL2.0
//! check race
//! arg out = int:zero:12
//! expect out[0..1] = 1 2
//! expect out[4] = 1
//! expect out[6..8] = 2 7 7
//! expect fault TSP-R0102 line 22
//! expect fault TSP-R0102 line 26
#define CHILD(flag) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_##flag, one,
kernel void test(global int* out) {
  const int i = get_global_id(0);
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  clk_event_t first;
  out[i] = i + 1;
  if (i != 0) return;
  CHILD(NO_WAIT) ^{ out[4] = out[0]; });
  CHILD(NO_WAIT) ^{ out[5] = out[1]; });
  CHILD(WAIT_KERNEL) ^{ out[6] = out[1]; });
  CHILD(NO_WAIT) 0, NULL, &first, ^{ out[7] = 7; });
  CHILD(NO_WAIT) 1, &first, NULL, ^{ out[8] = out[7]; });
  CHILD(NO_WAIT) ^{ out[9] = out[7]; });
  release_event(first);
}
