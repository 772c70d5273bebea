// Calls five deep, with loops and early returns at every level, without inlining by the compiler.
//! kernel test
//! global 130
//! arg out = uint:zero:130
//! # vary: local
//! expect out = ?
#define NI __attribute__((noinline))
NI uint f0(uint x) { return x % 7 == 3 ? 1 : x * 2; }
NI uint f1(uint x) {
  uint r = 0;
  for (uint i = 0; i < x % 4; i++) {
    r += f0(x + i);
    if (r > 50) return r;
  }
  return r + 1;
}
NI uint f2(uint x) { return x & 1 ? f1(x) + f0(x) : f1(x / 2); }
NI uint f3(uint x) {
  if (x < 10) return f0(x);
  uint r = f2(x);
  while (r > 20) r -= f1(r) + 1;
  return r;
}
NI uint f4(uint x) { return f3(x) * 10 + (x > 64 ? f3(x - 64) : 0); }
kernel void test(global uint* out) {
  uint n = get_global_id(0);
  out[n] = f4(n) + 1000 * f3(n ^ 5);
}
