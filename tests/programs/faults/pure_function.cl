// Functions that are declared pure and const, and access memory all the same; and two that keep their promise.
//! check ub
//! global 2
//! arg data = int:data:3,4
//! arg out = int:zero:8
//! expect out = 4 5 4 5 6 8 36 49
//! expect data = 4 5
//! expect fault TSP-R0032 at 0 line 13
//! expect fault TSP-R0032 at 0 line 16
constant int table[2] = {6, 7};

__attribute__((pure, noinline)) int counts(global int* p) {
  return ++*p;
}
__attribute__((const, noinline)) int reads(global int* p) {
  return *p;
}
__attribute__((pure, noinline)) int looks(global const int* p) {
  int twice[2] = {*p, *p};
  return twice[0] + twice[1] - 2;
}
__attribute__((const, noinline)) int computes(int x) {
  int product[2];
  product[x & 1] = table[x & 1];
  return product[x & 1] * product[x & 1];
}

kernel void test(global int* data, global int* out) {
  const int i = get_global_id(0);
  out[i] = counts(data + i);
  out[i + 2] = reads(data + i);
  out[i + 4] = looks(data + i);
  out[i + 6] = computes(i);
}
