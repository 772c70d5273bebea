// Volatile accesses and const, restrict pointers.
//! global 100  # vary: local
//! arg in = int:range:5:2:100
//! arg out = int:zero:100
//! expect out = int:range:21:8:100
kernel void test(const global int* restrict in, volatile global int* restrict out) {
  int n = get_global_id(0);
  volatile int x = in[n];
  out[n] = x;
  out[n] += x;
  x += 1;
  out[n] += x * 2 - 1;
}
