// A counter that all add to, once without an atomic.
//! global 64
//! local 64
//! check race
//! arg n = uint:zero:1
//! expect fault TSP-R0100 on n at 1 line 8
kernel void test(global uint* n) {
  if (get_global_id(0) == 0) n[0] += 1; else atomic_inc(n);
}
