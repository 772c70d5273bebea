// Each work-item but the first waits for a value of its own, and adds up what it saw.
//! global 64
//! local 64
//! arg flag = uint:zero:1
//! arg out = uint:zero:64
//! expect fault TSP-R0048 on flag at 1 line 12
kernel void test(volatile global uint* flag, global uint* out) {
  const uint i = get_local_id(0);
  uint rounds = i;
  if (i != 0) {
    float sum = 0;
    while (*flag != i) {
      sum += rounds;
      rounds += i;
    }
    rounds += (uint)sum;
  }
  out[i] = rounds;
}
