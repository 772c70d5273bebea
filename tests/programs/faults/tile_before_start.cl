// Before the begin: only the first work-item of a tile reads there, by an index that is -1 in 32 bits.
//! lenient
//! global 37,21  # vary: local
//! local 8,8
//! arg in = int:range:1:1:777
//! arg out = int:fill:-1:777
//! arg width = 37
//! expect fault TSP-R0020 on in at 0,0 line 13
//! expect out = int:range:0:1:777
kernel void test(global const int* in, global int* out, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  int before = y * width + x - 1;
  out[before + 1] = in[before];
}
