// Some bytes of a buffer were never written, as a record may have it; of a word that a work-item reads the second one.
//! global 4
//! check uninit
//! buffer data = uint:range:1:1:4 undefined 5,12..15
//! arg in = buffer data
//! arg out = uint:zero:4
//! expect fault TSP-R0101 at 1 line 13
//! expect fault TSP-R0101 on out at 3 line 14
//! expect out = uint:data:1,0,3,4
//! expect data = uint:range:1:1:4
kernel void test(global const uint* in, global uint* out) {
  const uint i = get_global_id(0);
  if (i < 3 && in[i] == 2) return;
  out[i] = in[i];
}
