// A callee returns early in some lanes, in the middle of nested loops; the others finish their work.
//! global 200  # vary: local
//! arg out = int:zero:200
//! expect out[0..31] = 99 -1 98 197 296 395 494 593 303 791 403 989 503 1187 603 1385 703 1583 504 11800 903 604 1003 9998 -1 -2 -3 -4 -5 -6 -7 -8
//! expect out[32..61] = 705 1004 -11 -12 805 -14 -15 1204 905 -18 1304 19998 1005 1404 9998 -1 -2 -3 -4 -5 -6 -7 -8 1006 -10 -11 -12 -13 1106 -15
//! expect out[62..90] = -16 -17 1505 1206 2104 19998 1605 9998 -1 -2 -3 -4 -5 -6 -7 -8 1207 -10 -11 -12 -13 -14 1307 1606 -17 -18 2105 19998 1407
//! expect out[91..122] = 19998 1903 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 1408 -14 -15 1707 -17 2106 -19 1508 19998 1807 1804 -1 -2 -3 -4 -5 -6 -7
//! expect out[123..153] = -8 -9 -10 -11 -12 1010 -14 -15 -16 2107 1808 -19 19998 1110 19998 1705 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -13 1310 -15
//! expect out[154..182] = 2108 -17 -18 -19 19998 19998 1410 1606 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -13 -14 1610 -16 -17 -18 1910 19998 2508
//! expect out[183..199] = 19998 1507 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -13 2110 -15
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
