// All work-items wait for what nobody stores, and count how often they looked: a number that decides nothing does not hide that it can never end.
//! global 128
//! local 64
//! arg flag = uint:zero:1
//! arg out = uint:zero:128
//! expect fault TSP-R0048 on flag at 0 line 9
kernel void test(volatile global uint* flag, global uint* out) {
  uint rounds = 0;
  while (atomic_add(flag, 0) == 0)
    ++rounds;
  out[get_global_id(0)] = rounds;
}
