// The last row of a tile's groups has no memory: its stores are dropped, all others made.
//! lenient
//! global 37,21  # vary: local
//! local 7,5
//! offset 2,3
//! arg out = uint:fill:5:740
//! arg width = 37
//! expect fault TSP-R0021 on out at 2,23 line 12
//! expect out = uint:range:100:1:740
kernel void test(global uint* out, uint width) {
  size_t x = get_global_id(0) - 2, y = get_global_id(1) - 3;
  out[y * width + x] = y * width + x + 100;
}
