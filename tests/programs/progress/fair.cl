// With fair progress a spin lock works between all work-items, and one may wait for the next one of its sub-group.
//! kernel lock
//! progress fair
//! global 192
//! local 64
//! arg lock = uint:zero:1
//! arg counter = uint:zero:1
//! launch
//! expect lock = 0
//! expect counter = 192
//! kernel chain
//! global 20
//! local 10
//! arg flags = uint:zero:21
//! launch
//! expect flags = 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
kernel void lock(volatile global uint* lock, volatile global uint* counter) {
  while (atomic_cmpxchg(lock, 0, 1) != 0) {
  }
  *counter = *counter + 1;
  atomic_xchg(lock, 0);
}

kernel void chain(volatile global uint* flags) {
  const uint i = get_global_id(0);
  if (i != 19)
    while (flags[i + 1] == 0) {
    }
  flags[i] = flags[i + 1] + 1;
}
