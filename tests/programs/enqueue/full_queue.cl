// A queue that is full takes nothing more, and what it has runs. It has room again for what its commands enqueue.
//! global 1
//! options -cl-std=CL2.0
//! queue small 256KiB
//! default-queue small
//! arg out = int:zero:4
//! expect out = -161 -161 1 1
//! expect no faults
typedef struct {
  long all[1 << 10];
} Large;
kernel void test(global int* out) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  Large large;
  large.all[0] = 1;
  clk_event_t event = CLK_NULL_EVENT;
  int rc = 0, taken = 0;
  while (rc == 0) {
    rc = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
      out[2] = large.all[0];
      if (out[3] == 0) {
        out[3] = 1;
        out[3] += enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[2] = large.all[0]; });
      }
    });
    if (rc == 0) ++taken;
  }
  out[0] = rc;
  out[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, &event, ^{ out[2] = -large.all[1]; });
}
