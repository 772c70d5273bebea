// Barriers inside a function that is called several times, in a loop and outside.
//! global 192
//! local 96
//! arg out = uint:zero:192
//! expect out[0..78] = range:1000:80
//! expect out[79..95] = 6360 6440 5560 4680 3800 2920 2040 1160 1240 360 440 520 600 680 760 840 920
//! expect out[96..174] = range:8680:80
//! expect out[175..191] = 14040 14120 13240 12360 11480 10600 9720 8840 8920 8040 8120 8200 8280 8360 8440 8520 8600
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
