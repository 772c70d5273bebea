// Blocks with pointers to memory that is gone when they run: told of where they are enqueued, and again where they use them.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:2
//! expect out = 0 0
//! expect fault TSP-R0094 line 16
//! expect fault TSP-R0002 line 16
//! expect fault TSP-R0094 line 17
//! expect fault TSP-R0002 line 17
kernel void test(global int* out) {
  local int shared[4];
  int own[4] = {1, 2, 3, 4};
  shared[0] = 7;
  int* const pointer = own + out[0];
  local int* const group = shared + out[0];
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[0] = *pointer; });
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[1] = *group; });
}
