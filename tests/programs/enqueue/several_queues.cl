// Queues of their own sizes, one of which is the default one. What fills one, by whatever name, leaves room in the others, and each has room again
// when its commands run.
//! global 1
//! options -cl-std=CL2.0
//! queue small 100
//! queue large 1KiB
//! queue usual
//! default-queue large
//! arg small = queue small
//! arg usual = queue usual
//! arg large = queue
//! arg out = int:zero:8
//! expect out = 1 11 0 20 -161 -161 0 32
//! expect no faults
int fill(queue_t q, global int* ran, int most, global int* error) {
  int taken = 0;
  while (taken < most) {
    const int rc = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ atomic_inc(ran); });
    if (rc != 0) {
      *error = rc;
      break;
    }
    ++taken;
  }
  return taken;
}
kernel void test(queue_t small, queue_t usual, queue_t large, global int* out) {
  out[0] = fill(small, out + 7, 20, out + 4);
  out[1] = fill(large, out + 7, 20, out + 5);
  out[2] = fill(get_default_queue(), out + 7, 20, out + 5);
  out[3] = fill(usual, out + 7, 20, out + 6);
}
