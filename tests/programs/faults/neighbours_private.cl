// Neighbours in a private array at an index that differs by work-item, past the end for some.
//! global 70
//! arg out = int:zero:70
//! expect fault TSP-R0020 on a at 3
//! expect fault TSP-R0020 on a at 3
//! expect out[0..11] = 0 70605 80604 21 242016 151005 4236 352821 160800 635445 403020 77
//! expect out[12..21] = 726048 392613 9884 756045 321600 1200285 725436 133 1210080 634221
//! expect out[22..31] = 15532 1159269 482400 1765125 1047852 189 1694112 875829 21180 1562493
//! expect out[32..40] = 643200 2329965 1370268 245 2178144 1117437 26828 1965717 804000
//! expect out[41..49] = 2894805 1692684 301 2662176 1359045 32476 2368941 964800 3459645
//! expect out[50..59] = 2015100 357 3146208 1600653 38124 2772165 1125600 4024485 2337516 413
//! expect out[60..68] = 3630240 1842261 43772 3175389 1286400 4589325 2659932 469 4114272
//! expect out[69] = 2083869
kernel void test(global int* out) {
  int n = get_global_id(0);
  int a[8];
  for (int k = 0; k < 8; ++k) a[k] = n * k;
  int i = (n * 5) % 8;
  out[n] = a[i] + 100 * a[i + 1] + 10000 * a[i + 2];
}
