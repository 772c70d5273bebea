// Indexes outside the type of an array in C, with bounds checked: clang's optimiser would delete the undefined ones, so it does not run. The store
// by work-item 2 lands in the padding of s, as does its load; the loop reads on into the next row.
//! check bounds
//! global 3
//! arg out = int:zero:9
//! expect fault TSP-R0028 on s at 2
//! expect fault TSP-R0028 on s at 2
//! expect fault TSP-R0028 on grid at 0 line 25
//! expect fault TSP-R0028 on s at 0 line 27
//! expect out[0..2] = 0 1 2
//! expect out[3..5] = fill:15
//! expect out[6..8] = fill:0
struct S {
  int a;
  char b[2];
};

kernel void test(global int* out) {
  const int i = get_global_id(0);
  struct S s = {0, {42, 7}};
  int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  s.b[i] = i;
  out[i] = s.b[i];
  int sum = 0;
  for (int k = 0; k < 5; ++k) sum += grid[0][k];
  out[3 + i] = sum;
  out[6 + i] = s.b[3];
}
