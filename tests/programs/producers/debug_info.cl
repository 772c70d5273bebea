// Full debug information: its extended instructions and types change nothing.
//! options -g -O0
//! global 66  # vary: local
//! arg out = int:zero:66
//! expect out[0..38] = 0 2 10 29 6 12 28 63 12 22 46 97 18 32 64 131 24 42 82 165 30 52 100 199 36 62 118 233 42 72 136 267 48 82 154 301 54 92 172
//! expect out[39..65] = 335 60 102 190 369 66 112 208 403 72 122 226 437 78 132 244 471 84 142 262 505 90 152 280 539 96 162
typedef struct { int a; float b; } pair;
int twice(int x) {
  int y = x + x;
  return y;
}
kernel void test(global int* out) {
  int n = get_global_id(0);
  pair p = {n, n * 0.5f};
  for (int i = 0; i < n % 4; i++) p.a = twice(p.a) + i;
  out[n] = p.a + (int)p.b;
}
