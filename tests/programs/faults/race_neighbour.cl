// Each work-item reads what its neighbour writes, and nothing is between.
//! global 64
//! local 64
//! check race
//! arg x = uint:range:0:1:64
//! expect fault TSP-R0100 on x at 0 line 9
kernel void test(global uint* x) {
  const uint i = get_global_id(0), next = x[(i + 1) % 64];
  x[i] = next;
}
