// All work-items wait in a loop within a loop, and what they count in both decides nothing.
//! global 128
//! local 64
//! arg flag = uint:zero:1
//! arg out = uint:zero:128
//! expect fault TSP-R0048 on flag at 0
kernel void test(volatile global uint* flag, global uint* out) {
  uint rounds = 0, sum = 0;
  do {
    for (uint i = 0; i < 16; ++i) {
      sum += i;
      if (*flag != 0) break;
    }
    ++rounds;
  } while (*flag == 0);
  out[get_global_id(0)] = rounds + sum;
}
