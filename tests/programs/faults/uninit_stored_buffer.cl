// The store into a buffer is a finding, and so is what becomes of it.
//! global 4
//! check uninit
//! arg in = uint:range:0:1:4
//! arg scratch = uint:zero:4
//! arg out = uint:zero:4
//! expect fault TSP-R0101 on scratch at 1 line 13
//! expect fault TSP-R0101 at 1 line 15
kernel void test(global const uint* in, global uint* scratch, global uint* out) {
  const uint i = get_global_id(0);
  uint x[2];
  x[in[i] & 1] = 9;
  scratch[i] = x[0];
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  out[scratch[i ^ (in[i] & 0)] & 3] = 1;
}
