// A callee returns early in some lanes, in the middle of nested loops; the others finish their work.
//! kernel test
//! global 200
//! arg out = int:zero:200
//! # vary: local
//! expect out = ?
__attribute__((noinline)) int search(int n, int target) {
  for (int i = 1; i < 20; i++) {
    if (i == n % 23) return -i;
    for (int j = 0; j <= i; j++)
      if (i * j + j * j == target) return i * 100 + j;
  }
  return 9999;
}
kernel void test(global int* out) {
  int n = get_global_id(0);
  int first = search(n, n);
  out[n] = first < 0 ? first : first + search(n + 1, first % 50);
}
