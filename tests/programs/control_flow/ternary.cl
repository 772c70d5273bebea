// Nested conditional expressions on scalars and vectors.
//! kernel test
//! global 66
//! arg out = int4:zero:66
//! # vary: local
//! expect out[0..15] = ?
//! expect out[60..65] = ?
kernel void test(global int4* out) {
  int n = get_global_id(0);
  int4 v = (int4)(n, n - 10, 30 - n, n * n);
  int s = n < 20 ? n < 10 ? 1 : 2 : n < 40 ? 3 : n & 1 ? 4 : 5;
  int4 w = v > 15 ? v : (v < 0 ? -v : (int4)(s));
  out[n] = s == 4 ? w + 100 : w;
}
