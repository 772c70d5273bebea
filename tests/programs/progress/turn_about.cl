// Two groups hand a turn to each other, often: each time one has done something it waits for the other one, and is not to keep it waiting.
//! options -cl-std=CL2.0
//! global 128
//! local 64
//! timeout 300
//! check race
//! arg rounds = uint:2000
//! arg turn = uint:zero:1
//! arg count = uint:zero:1
//! expect count = 4000
//! expect no faults
kernel void counts(uint rounds, global atomic_uint* turn, global uint* count) {
  if (get_local_id(0) != 0) return;
  const uint group = get_group_id(0);
  for (uint i = 0; i < rounds; ++i) {
    while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_device) != group) {
    }
    ++*count;
    atomic_store_explicit(turn, 1 - group, memory_order_release, memory_scope_device);
  }
}
