// A barrier orders no work-groups.
//! global 128
//! local 64
//! check race
//! arg x = uint:range:0:1:128
//! expect fault TSP-R0100 on x at 64 line 8
kernel void test(global uint* x) {
  const uint i = get_global_id(0), other = x[127 - i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  x[i] = other;
}
