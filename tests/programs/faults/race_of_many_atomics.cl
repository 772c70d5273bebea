// Of very many atomics to a word those that a work-item knows of are over for it, though another one, which came before it, did not know of them.
//! options -cl-std=CL2.0
//! global 128
//! local 64
//! check race
//! arg flag = uint:zero:1
//! arg count = uint:zero:1
//! expect fault TSP-R0100 on count line 24
kernel void test(global atomic_uint* flag, global atomic_uint* count) {
  const uint i = get_local_id(0);
  if (get_group_id(0) == 0) {
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 0) atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    return;
  }
  if (i != 0)
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0) {
    }
  atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device);
  if (i == 0) {
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0) {
    }
    *(volatile global uint*)count = 7;
  }
}
