// A race of neighbours in two work-groups is found in whatever order the groups come, and nothing else is.
//! global 256
//! local 64
//! schedule reverse
//! check race
//! arg data = uint:zero:257
//! arg out = uint:zero:256
//! expect fault TSP-R0100 on data line 13
kernel void test(global uint* data, global uint* out) {
  local uint row[64];
  const uint i = get_global_id(0), l = get_local_id(0);
  row[l] = i;
  data[i + (l == 63)] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = row[63 - l];
}
