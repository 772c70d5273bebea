// Two sub-groups each take their lock and try the other one's, and leave both if they don't get it. Where they do that at the same time they
// get nowhere; one of them has to go first.
//! options -cl-std=CL2.0
//! global 64
//! local 64
//! subgroup-size 32
//! timeout 300
//! check all
//! arg locks = int:zero:2
//! arg done = int:zero:1
//! expect done = 2
//! expect locks = 0 0
//! expect no faults
bool takes(global atomic_int* lock) {
  int free = 0;
  return atomic_compare_exchange_strong_explicit(lock, &free, 1, memory_order_acquire, memory_order_relaxed,
                                                 memory_scope_device);
}

void leave(global atomic_int* lock) {
  atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}

kernel void both(global atomic_int* locks, global int* done) {
  if (get_local_id(0) % 32 != 0) return;
  const int own = get_local_id(0) / 32;
  bool has_both = false;
  while (!has_both) {
    if (!takes(&locks[own])) continue;
    has_both = takes(&locks[1 - own]);
    if (has_both) {
      ++*done;
      leave(&locks[1 - own]);
    }
    leave(&locks[own]);
  }
}
