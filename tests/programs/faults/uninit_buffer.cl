// A buffer that the host never wrote is an index.
//! global 4
//! check uninit
//! arg in = uint:uninit:4
//! arg out = uint:zero:4
//! expect fault TSP-R0101 line 8
kernel void test(global const uint* in, global uint* out) {
  out[in[get_global_id(0)] & 3] = 1;
}
