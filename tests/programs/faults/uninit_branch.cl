// A variable that only some work-items write decides a branch.
//! global 8
//! check uninit
//! arg in = uint:range:0:1:8
//! arg out = uint:zero:8
//! expect fault TSP-R0101 line 11
kernel void test(global const uint* in, global uint* out) {
  uint x[2];
  const uint i = get_global_id(0);
  x[in[i] & 1] = i + 1;
  if (x[0] > 3) out[i] = 1;
}
