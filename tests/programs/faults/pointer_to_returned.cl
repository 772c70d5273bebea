// A pointer to a variable of a function that has returned. Kept in memory, used while the function runs, it is good.
//! global 70
//! arg out = int:fill:9:140
//! expect fault TSP-R0026 on x at 0 line 17
//! expect out[0..69] = int:range:10:1
//! expect out[70..139] = int:zero
__attribute__((noinline)) int read(int** p) { return **p; }
__attribute__((noinline)) int keep(int** kept, int value) {
  int x = value;
  *kept = &x;
  return read(kept);
}
kernel void test(global int* out) {
  int n = get_global_id(0);
  int* kept;
  out[n] = keep(&kept, 10 + n);
  out[70 + n] = *kept;
}
