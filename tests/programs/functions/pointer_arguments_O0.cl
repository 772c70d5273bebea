// Functions with pointer arguments, compiled without optimisation.
//! options -O0
//! kernel test
//! global 128
//! local 64
//! arg out = int:zero:128
//! expect out = ?
void swap_private(int* a, int* b) {
  int t = *a;
  *a = *b;
  *b = t;
}
void push(int* array, int* length, int value) {
  if (*length >= 6) return;
  array[(*length)++] = value;
}
int sum_local(local int* p, int n) {
  int r = 0;
  for (int i = 0; i < n; i++) r += p[i];
  return r;
}
void store(global int* p, int v) { *p = v; }
kernel void test(global int* out) {
  local int shared[64];
  int n = get_global_id(0), l = get_local_id(0);
  int stack[6], length = 0;
  int a = n, b = -n;
  swap_private(&a, &b);
  for (int i = 0; i < n % 9; i++) push(stack, &length, a + i);
  if (length > 2) swap_private(&stack[0], &stack[length - 1]);
  int r = length * 10000 + (length ? stack[0] : b);
  shared[l] = l * 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  store(out + n, r + sum_local(shared, l % 5));
}
