// A gather reads a buffer that is for writing only.
//! global 128
//! local 64
//! arg out = uint:fill:9:128
//! arg sink = uint:fill:7:128:wo
//! arg index = uint:range:127:-1:128:ro
//! expect fault TSP-R0027 on sink line 12
//! expect out[0..3] = 0 0 0 0
//! expect out[126..127] = 0 0
__kernel void test(__global uint* out, __global uint* sink, __global const uint* index) {
  size_t i = get_global_id(0);
  out[i] = sink[index[i]];
}
