// Every form of address reads a buffer that is for writing only: consecutive, gathered, in tiles, uniform.
//! global 32,8
//! local 16,8
//! arg out = uint:zero:256
//! arg sink = uint:fill:7:256:wo
//! arg index = uint:range:255:-1:256:ro
//! arg zero = 0
//! expect fault TSP-R0027 on sink line 17
//! expect fault TSP-R0027 on sink line 18
//! expect fault TSP-R0027 on sink line 19
//! expect fault TSP-R0027 on sink line 20
//! expect no faults
//! expect out[0..3] = 0 0 0 0
//! expect out[252..255] = 0 0 0 0
__kernel void test(__global uint* out, __global uint* sink, __global const uint* index, uint zero) {
  uint i = get_global_id(1) * 32 + get_global_id(0);
  uint sum = sink[index[i]];
  sum += sink[get_local_id(1) * 16 + get_local_id(0)];
  sum += sink[i];
  sum += sink[zero];
  out[i] = sum;
  sink[i] = sum;
}
