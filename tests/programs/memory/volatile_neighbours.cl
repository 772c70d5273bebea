// Volatile neighbours are accesses of their own, also where others beside them are not volatile.
//! kernel test
//! global 37
//! arg data = int:range:0:1:148
//! # vary: local
//! expect data[0..37] = 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 17 16 19 18 21 20 23 22 25 24 27 26 29 28 31 30 33 32 35 34 37 36
//! expect data[38..72] = 39 38 41 40 43 42 45 44 47 46 49 48 51 50 53 52 55 54 57 56 59 58 61 60 63 62 65 64 67 66 69 68 71 70 73
//! expect data[73..104] = 72 75 74 77 76 79 78 81 80 83 82 85 84 87 86 89 88 91 90 93 92 95 94 97 96 99 98 101 100 103 102 105
//! expect data[105..129] = 104 107 106 109 108 111 110 113 112 115 114 117 116 119 118 121 120 123 122 125 124 127 126 129 128
//! expect data[130..147] = 131 130 133 132 135 134 137 136 139 138 141 140 143 142 145 144 147 146
kernel void test(global int* data) {
  size_t n = get_global_id(0);
  global volatile int* careful = data;
  int a = data[4 * n];
  int b = careful[4 * n + 1];
  int c = careful[4 * n + 2];
  int d = data[4 * n + 3];
  data[4 * n] = b;
  careful[4 * n + 1] = a;
  careful[4 * n + 2] = d;
  data[4 * n + 3] = c;
}
