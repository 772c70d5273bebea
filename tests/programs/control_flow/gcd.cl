// Euclid's algorithm, recursion turned into a loop with simultaneous assignment.
//! global 144  # vary: local
//! arg out = uint:zero:144
//! expect out[0..58] = 6 2 2 6 2 2 6 2 2 6 2 2 6 2 2 6 4 2 12 2 4 6 4 2 12 2 4 6 4 2 12 2 2 18 2 2 18 2 2 6 2 2 6 2 2 18 2 2 24 2 4 6 8 2 12 2 8 6 4
//! expect out[59..108] = 2 24 2 4 6 10 10 30 10 10 30 10 10 30 10 10 30 10 10 30 10 4 18 4 2 36 2 4 6 4 2 12 2 4 18 4 2 42 2 2 6 2 2 6 14 2 6 2 2 42
//! expect out[109..143] = 2 2 6 8 2 12 2 16 6 4 2 48 2 4 6 8 2 12 2 2 18 2 2 54 2 2 6 2 2 6 2 2 18 2 2
kernel void test(global uint* out) {
  uint n = get_global_id(0);
  uint a = (n / 16 + 1) * 6, b = (n % 12) * 10;
  while (b != 0) {
    uint t = a % b;
    a = b;
    b = t;
  }
  out[n] = a;
}
