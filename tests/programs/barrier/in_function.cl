// Barriers inside a function that is called several times, in a loop and outside.
//! kernel test
//! global 192
//! local 96
//! arg out = uint:zero:192
//! expect out = ?
__attribute__((noinline)) uint shift(local uint* ring, uint value, uint by) {
  uint l = get_local_id(0), n = get_local_size(0);
  ring[l] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint r = ring[(l + by) % n];
  barrier(CLK_LOCAL_MEM_FENCE);
  return r;
}
kernel void test(global uint* out) {
  local uint ring[96];
  uint v = get_global_id(0) * 10;
  v = shift(ring, v, 1);
  for (uint i = 2; i < 5; i++) v += shift(ring, v, i);
  out[get_global_id(0)] = shift(ring, v, 7);
}
