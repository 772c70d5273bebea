// Each lane sorts its own private array: data-dependent inner loops over private memory.
//! global 70  # vary: local
//! arg values = uint:random:7:0:99:560
//! expect values[0..42] = 1 24 32 38 45 46 58 90 10 13 41 54 86 87 91 95 10 32 34 42 61 67 75 87 5 7 40 41 90 90 96 97 7 17 21 28 38 55 60 93 4 5 31
//! expect values[43..63] = 38 53 64 82 91 6 22 25 36 57 64 67 84 33 35 37 40 49 57 61 87
//! expect values[496..537] = 3 15 16 21 45 64 80 87 21 25 32 43 51 57 57 70 14 25 36 36 50 66 68 85 1 16 37 40 44 52 55 75 2 3 23 34 73 79 83 87 2 68
//! expect values[538..559] = 69 74 85 90 96 99 5 12 18 39 46 49 60 65 11 26 30 32 38 56 61 86
kernel void test(global uint* values) {
  uint n = get_global_id(0);
  uint a[8];
  for (int i = 0; i < 8; i++) a[i] = values[n * 8 + i];
  for (int i = 1; i < 8; i++) {
    uint x = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > x) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
  for (int i = 0; i < 8; i++) values[n * 8 + i] = a[i];
}
