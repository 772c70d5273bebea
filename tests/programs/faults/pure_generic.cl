// A function that is declared pure, and writes through a generic pointer: memory of others, and of its own.
//! options -cl-std=CL2.0
//! check ub
//! global 2
//! arg data = int:data:3,4
//! arg out = int:zero:4
//! expect data = 5 5
//! expect out = 6 6 8 8
//! expect fault TSP-R0032 at 0 line 11
//! expect no faults
__attribute__((pure, noinline)) int sets(int* p) { *p = 5; return *p + 1; }
__attribute__((pure, noinline)) int keeps(int x) {
  int own[2] = {x, x};
  int* volatile p = own;
  *p = 7;
  return own[0] + 1;
}
kernel void test(global int* data, global int* out) {
  const int i = get_global_id(0);
  out[i] = sets(data + i);
  out[i + 2] = keeps(i);
}
