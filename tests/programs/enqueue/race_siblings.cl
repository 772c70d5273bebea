// Kernels that a kernel enqueued are ordered by events, markers and by nothing else: neither by the order in which they were
// enqueued, nor by a common one that they wait for, nor by a sibling's child.
//! global 1
//! options -cl-std=CL2.0
//! check race
//! arg out = int:zero:8
//! expect out[0] = 1
//! expect out[2..3] = 3 3
//! expect fault TSP-R0102 on out line 23
//! expect fault TSP-R0102 on out line 20
#define CHILD enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
kernel void test(global int* out) {
  const queue_t q = get_default_queue();
  clk_event_t first, marker;
  CHILD 0, NULL, &first, ^{ out[0] = 1; });
  // Both behind the first one: it races with neither.
  CHILD 1, &first, NULL, ^{
    out[1] = out[0];
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
      out[4] = 4;
    });
  });
  CHILD 1, &first, NULL, ^{ out[1] = out[0] + 1; });
  // Nothing orders it with the child of the second one, which runs later here.
  CHILD 1, &first, NULL, ^{ out[5] = out[4]; });
  CHILD ^{ out[2] = 3; });
  enqueue_marker(q, 0, NULL, &marker);
  CHILD 1, &marker, NULL, ^{ out[3] = out[2]; });
  release_event(first);
  release_event(marker);
}
