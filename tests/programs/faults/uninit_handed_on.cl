// A variable that only some work-items write goes to another work-item through local memory, which decides a branch by it.
//! poison off
//! global 64
//! local 64
//! check uninit
//! arg in = uint:range:0:1:64
//! arg out = uint:zero:64
//! expect fault TSP-R0101 at 0 line 17
//! expect out = uint:zero:64
kernel void test(global const uint* in, global uint* out) {
  local uint t[64];
  const uint i = get_local_id(0);
  uint x[2];
  x[in[i] & 1] = 3;
  t[i] = x[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t[63 - i] > 3)
    out[i] = 1;
}
