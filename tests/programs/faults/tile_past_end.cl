// One work-item of the last group reads past the end: it alone gets a zero, and is the one named.
//! lenient
//! global 37,21  # vary: local
//! local 16,16
//! arg in = int:range:0:1:777
//! arg out = int:zero:777
//! arg width = 37
//! expect fault TSP-R0020 on in at 36,20 line 13
//! expect out[0..775] = int:range:1:1
//! expect out[776] = 0
kernel void test(global const int* in, global int* out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * width + x] = in[y * width + x + 1];
}
