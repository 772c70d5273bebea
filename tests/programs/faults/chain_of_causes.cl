// A load past the end gives zero, which is then a wrong index, and what that gives a wrong divisor: findings that follow from each other.
//! check ub
//! arg a = int:zero:8
//! arg b = int:zero:8
//! global 300  # vary: local
//! expect fault TSP-R0020 on a at 8 line 12
//! expect fault TSP-R0020 on b at 8 line 13
//! expect fault TSP-R0060 at 8 line 14
kernel void chain(global int* a, global int* b) {
  int g = get_global_id(0);
  if (g < 8) return;
  int i = a[g];
  int j = b[i - 1];
  a[(100 / j) & 1] = 1;
}
