// Addresses under another storage class: private memory as global and local, a buffer as local and private.
//! global 70
//! local 10
//! arg in = int:fill:3:70
//! arg out = int:fill:9:280
//! expect fault TSP-R0003 on x at 0
//! expect fault TSP-R0003 on x at 0
//! expect fault TSP-R0003 on x at 0
//! expect fault TSP-R0003 on in at 0
//! expect fault TSP-R0003 on in at 0
//! expect out[0..69] = int:zero
//! expect out[70..139] = int:zero
//! expect out[140..209] = int:zero
//! expect out[210..279] = int:range:5:1
//! expect in = int:fill:3:70
kernel void test(global int* in, global int* out) {
  size_t n = get_global_id(0);
  int x[1] = {5 + (int)n};
  out[n] = *(global int*)(ulong)x;
  out[70 + n] = *(local int*)(ulong)x;
  *(global int*)(ulong)x = 7;
  out[140 + n] = *(local int*)(ulong)in;
  *(int*)(ulong)(in + n) = 8;
  out[210 + n] = x[0];
}
