// Copies whose source and target share bytes: in a buffer, and in a private array. Memory may be copied to itself, and beside itself.
//! check ub
//! global 2
//! arg data = int:range:0:1:32
//! arg by = int:data:1,4
//! arg out = int:zero:2
//! expect data[0..31] = 0 0 1 2 3 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 16 17 18 19 24 25 26 27 28 29 30 31
//! expect out[1] = 4
//! expect fault TSP-R0031 at 0 line 15
//! expect fault TSP-R0031 at 0 line 20
kernel void test(global int* data, global const int* by, global int* out) {
  const int i = get_global_id(0);
  global int* row = data + 16 * i;
  // Four elements: by one they overlap, by four they do not.
  __builtin_memcpy(row + by[i], row, 16);
  __builtin_memcpy(row + 8, row + 8, 16);
  int own[8];
  for (int n = 0; n < 8; ++n) own[n] = n;
  int* target = own + (by[i] == 4 ? 4 : 2);
  __builtin_memcpy(target, own + by[i] % 4, 16);
  out[i] = own[2] + own[4] - own[6] + 4;
}
