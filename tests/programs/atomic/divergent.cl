// Atomics under divergent control flow: only the active lanes take part.
//! global 200  # vary: local
//! arg counters = uint:zero:6
//! expect counters[0..5] = 67 266 20 56 57 180
kernel void test(global uint* counters) {
  uint n = get_global_id(0);
  if (n % 3 == 0) {
    atomic_inc(&counters[0]);
    for (uint i = 0; i < n % 5; i++) atomic_add(&counters[1], i + 1);
  } else if (n % 7 == 1) {
    atomic_inc(&counters[2]);
    return;
  } else {
    atomic_inc(&counters[3 + (n & 1)]);
  }
  atomic_inc(&counters[5]);
}
