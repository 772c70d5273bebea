// Euclid's algorithm, recursion turned into a loop with simultaneous assignment.
//! kernel test
//! global 144
//! arg out = uint:zero:144
//! # vary: local
//! expect out[0..33] = 6 2 2 6 2 2 6 2 2 6 2 2 12 2 4 6 4 2 12 2 4 6 4 2 18 2 2 6 2 2 6 2 2 18
//! expect out[34..62] = 2 2 24 2 4 6 8 2 12 2 8 6 4 2 30 10 10 30 10 10 30 10 10 30 10 10 36 2 4
//! expect out[63..95] = 6 4 2 12 2 4 18 4 2 42 2 2 6 2 2 6 14 2 6 2 2 48 2 4 6 8 2 12 2 16 6 4 2
//! expect out[96..124] = 54 2 2 6 2 2 6 2 2 18 2 2 60 10 20 30 20 10 60 10 20 30 20 10 66 2 2 6 2
//! expect out[125..143] = 2 6 2 2 6 2 22 72 2 4 6 8 2 12 2 8 18 4 2
kernel void test(global uint* out) {
  uint n = get_global_id(0);
  uint a = (n / 12 + 1) * 6, b = (n % 12) * 10;
  while (b != 0) {
    uint t = a % b;
    a = b;
    b = t;
  }
  out[n] = a;
}
