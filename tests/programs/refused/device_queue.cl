// Device-side enqueue is not supported; the instruction is named.
//! options -cl-std=CL2.0
//! kernel test
//! global 64
//! local 64
//! arg out = int:zero:64
//! expect refused TSP-U0001
kernel void test(global int* out) {
  out[get_global_id(0)] = enqueue_marker(get_default_queue(), 0, 0, 0);
}
