// A spin lock that the first work-item of each sub-group takes, of all groups.
//! global 2048
//! local 256
//! subgroup-size 32
//! arg lock = uint:zero:1
//! arg counter = uint:zero:1
//! expect lock = 0
//! expect counter = 64
kernel void count(volatile global uint* lock, volatile global uint* counter) {
  if (get_local_id(0) % 32 != 0) return;
  while (atomic_cmpxchg(lock, 0, 1) != 0) {
  }
  *counter = *counter + 1;
  atomic_xchg(lock, 0);
}
