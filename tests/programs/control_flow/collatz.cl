// Long divergent loops: the number of Collatz steps of the lane's id.
//! global 500  # vary: local
//! arg out = uint:zero:500
//! expect out[0..45] = 0 1 7 2 5 8 16 3 19 6 14 9 9 17 17 4 12 20 20 7 7 15 15 10 23 10 111 18 18 18 106 5 26 13 13 21 21 21 34 8 109 8 29 16 16 16
//! expect out[46..85] = 104 11 24 24 24 11 11 112 112 19 32 19 32 19 19 107 107 6 27 27 27 14 14 14 102 22 115 22 14 22 22 35 35 9 22 110 110 9 9 30
//! expect out[86..99] = 30 17 30 17 92 17 17 105 105 12 118 25 25 25
//! expect out[440..477] = 27 115 53 71 71 71 97 22 115 53 53 14 14 14 40 35 128 35 128 35 35 128 128 22 35 84 84 22 22 128 128 35 35 35 27 35 35 53
//! expect out[478..499] = 53 22 48 22 22 97 97 97 141 22 48 22 141 48 48 48 97 110 22 48 48 110
kernel void test(global uint* out) {
  ulong x = get_global_id(0) + 1;
  uint steps = 0;
  for (; x != 1; steps++) x = x % 2 ? 3 * x + 1 : x / 2;
  out[get_global_id(0)] = steps;
}
