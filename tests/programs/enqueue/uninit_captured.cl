// A block captures a value that is undefined in one of two work-items; what it enqueues reads a buffer that its parent wrote
// in part, and a block of its own captures the same value again.
//! global 2
//! options -cl-std=CL2.0
//! check uninit
//! arg in = uint:uninit:4
//! arg out = uint:zero:8
//! expect out[4..5] = 7 8
//! expect fault TSP-R0101 line 19
//! expect fault TSP-R0101 line 20
//! expect fault TSP-R0101 line 22
kernel void test(global uint* in, global uint* out) {
  const uint i = get_global_id(0);
  uint t[2];
  t[in != 0] = 5;
  const uint x = t[i];
  in[i] = i + 7;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
    if (x > 3) out[i] = 1;
    if (in[i + 2] > 3) out[i + 2] = 1;
    out[i + 4] = in[i];
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[i + 6] = x; });
  });
}
