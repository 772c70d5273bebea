// Structs that are partly written may be copied, to where the host sees them, too; so may the fourth lanes of vectors of three.
//! global 4
//! check uninit
//! arg pairs = bytes:zero:64
//! arg out = float:zero:16
//! expect out = float:data:1,2,3,0,1,2,3,0,1,2,3,0,1,2,3,0
struct pair {
  char tag;
  int number[3];
};
kernel void test(global struct pair* pairs, global float3* out) {
  const uint i = get_global_id(0);
  local float3 t[4];
  struct pair p;
  p.tag = 1;
  p.number[i & 1] = 2;
  pairs[i] = p;
  t[i] = (float3)(1, 2, 3);
  out[i] = t[i];
}
