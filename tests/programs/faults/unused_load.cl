// A load whose value nobody uses is made all the same: it reads past the end.
//! global 64
//! local 64
//! options -O0
//! arg in = int:fill:1:64
//! arg out = int:zero:64
//! expect fault TSP-R0020 on in line 10
//! expect out[0..1] = 1 1
__kernel void test(__global int* in, __global int* out) {
  int x = in[get_global_id(0) + 1000];
  out[get_global_id(0)] = 1;
}
