// A function of another module: both are compiled, then linked.
//! module linked_library.cl
//! kernel test
//! global 70  # vary: local
//! arg out = uint:zero:70
//! expect out = uint:range:4:6:70
uint library_scale(uint x);
kernel void test(global uint* out) {
  uint n = get_global_id(0);
  out[n] = library_scale(n) * 2;
}
