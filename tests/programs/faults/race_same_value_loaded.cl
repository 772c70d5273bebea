// Work-items that store the same and then load it: what each loads races with the stores of the others, in whatever order they run.
//! global 64
//! local 64
//! check race
//! arg out = int:zero:64
//! arg n = 5
//! expect out = fill:5:64
//! expect fault TSP-R0100
//! schedule serial
kernel void test(global int* out, int n) {
  local volatile int w;
  w = n;
  out[get_global_id(0)] = w;
}
