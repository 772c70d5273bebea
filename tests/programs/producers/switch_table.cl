// Switches that the compiler turns into look-ups in a table or in a constant.
//! global 70  # vary: local
//! arg out = int:zero:70
//! expect out[0..34] = 142 -5 2000 12 5 198 15308642 -2 6 3 6 71 -5 2000 24 10 198 7654321 -2 3 3 6 142 -10 2000 12 10 99 7654321 -2 6 6 6 71 -10
//! expect out[35..69] = 1000 12 10 198 15308642 -2 3 6 3 71 -10 2000 24 10 99 15308642 -1 3 6 6 142 -10 1000 24 5 99 15308642 -2 6 6 3 142 -5 1000 24
int look(uint k) {
  switch (k) {
    case 0: return 71;
    case 1: return -5;
    case 2: return 1000;
    case 3: return 12;
    case 4: return 5;
    case 5: return 99;
    case 6: return 7654321;
    case 7: return -1;
    default: return 3;
  }
}
kernel void test(global int* out) {
  uint n = get_global_id(0);
  int b;
  switch (n & 7) {
    case 1: case 3: case 4: b = 1; break;
    default: b = 2;
  }
  out[n] = look(n % 11) * b;
}
