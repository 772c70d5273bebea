// Atomics of one work-group whose scope that is: of those without an order, too, which are taken for atomics without a scope.
//! options -cl-std=CL2.0
//! global 64
//! local 64
//! check race
//! arg flag = int:zero:1
//! arg count = int:zero:1
//! expect flag = 0
//! expect count = 64
//! expect no faults
kernel void test(global atomic_int* flag, global atomic_int* count) {
  if (atomic_exchange_explicit(flag, 1, memory_order_acquire, memory_scope_work_group) >= 0)
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_work_group);
  atomic_store_explicit(flag, 0, memory_order_relaxed, memory_scope_work_group);
}
