// What a variable without a value leaves in an array decides a branch, long after it was stored there.
//! global 8
//! check uninit
//! arg in = uint:range:0:1:8
//! arg out = uint:zero:8
//! expect fault TSP-R0101 at 1 line 17
kernel void test(global const uint* in, global uint* out) {
  const uint i = get_global_id(0);
  uint from[2];
  uint kept[4];
  from[in[i] & 1] = 7;
  for (uint k = 0; k < 4; ++k) kept[k] = k;
  kept[in[i] & 3] = from[0];
  // The last element is defined, whatever the others are.
  kept[3 - (in[i] & 0)] = 5;
  const uint at = in[i] & 3;
  if (kept[at] > 4)
    out[i] = 1;
}
