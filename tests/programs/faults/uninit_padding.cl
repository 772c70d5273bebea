// The fourth component of a vector of three is padding; bits that rotate stay what they are.
//! options -cl-std=CL2.0
//! global 4
//! local 4
//! check uninit
//! arg out = float3:zero:4
//! arg low = uint:zero:4
//! arg partly = float3:zero:4
//! arg x = 1
//! expect fault TSP-R0101 on partly at 0 line 22
kernel void test(global float3* out, global uint* low, global float3* partly, float x) {
  const size_t i = get_global_id(0);
  float3 all;
  for (int c = 0; c < 3; ++c) all[c] = x + c;
  out[i] = all;
  ushort halves[2];
  halves[x > 0] = 7;
  const uint both = halves[0] | (uint)halves[1] << 16;
  low[i] = rotate(both, 16u) & 0xffff;
  float3 some;
  some.x = x, some.z = x + 1;
  partly[i] = some;
}
