// The divisor was never written.
//! kernel test
//! global 4
//! check uninit
//! arg in = int:uninit:4
//! arg out = int:zero:4
//! expect fault TSP-R0101 line 11
//! expect fault TSP-R0101 on out at 0 line 10
kernel void test(global const int* in, global int* out) {
  out[get_global_id(0)] =
      100 / in[get_global_id(0)];
}
