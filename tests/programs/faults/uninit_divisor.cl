// The divisor was never written.
//! global 4
//! check uninit
//! arg in = int:uninit:4
//! arg out = int:zero:4
//! expect fault TSP-R0101 line 10
//! expect fault TSP-R0101 on out at 0 line 9
kernel void test(global const int* in, global int* out) {
  out[get_global_id(0)] =
      100 / in[get_global_id(0)];
}
