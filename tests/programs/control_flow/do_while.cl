// do-while loops: the body runs once at least; a continue goes to the condition.
//! global 100  # vary: local
//! arg out = int:zero:100
//! expect out[0..51] = 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1 2
//! expect out[52..99] = 8 24 44 50 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1 2 8 24 44 50 0 1
kernel void test(global int* out) {
  int n = get_global_id(0);
  int i = n % 7, r = 0;
  do {
    r += i;
    if (i % 3 == 1) continue;
    r *= 2;
    do { r -= i; } while (r > 50);
  } while (i-- > 2);
  out[n] = r;
}
