// A compare-exchange that finds what it compares with has stored, also where that is the value that was there: it acquires,
// and it races with plain accesses.
//! options -cl-std=CL2.0
//! global 64
//! local 32
//! check race
//! arg data = uint:zero:1
//! arg flag = uint:zero:1
//! arg plain = uint:zero:1
//! arg out = uint:zero:2
//! expect fault TSP-R0100 on plain at 32 line 22
kernel void test(global uint* data, global atomic_uint* flag, global uint* plain, global uint* out) {
  const size_t i = get_global_id(0);
  if (i == 0) {
    data[0] = 42;
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    out[0] = plain[0];
  } else if (i == 32) {
    uint one = 1;
    if (atomic_compare_exchange_strong_explicit(flag, &one, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device))
      out[1] = data[0];
    atomic_cmpxchg(plain, 0, 0);
  }
}
