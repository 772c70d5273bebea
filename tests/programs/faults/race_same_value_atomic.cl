// A store of the value that is there already races with another group's atomic load, whatever the stores do to each other.
//! options -cl-std=CL2.0
//! global 3
//! local 1
//! check race
//! arg x = int:zero:1
//! arg flag = int:zero:1
//! arg out = int:zero:1
//! expect x = 1
//! expect out = 1
//! expect fault TSP-R0100 on x
//! expect no faults
kernel void test(global int* x, global atomic_int* flag, global int* out) {
  if (get_group_id(0) == 0) {
    *x = 1;
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  } else if (get_group_id(0) == 1) {
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0) {
    }
    *out = atomic_load_explicit((global atomic_int*)x, memory_order_relaxed, memory_scope_device);
  } else {
    *x = 1;
  }
}
