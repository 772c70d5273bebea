// The atomic functions of OpenCL C 2.0, through generic pointers, on int, uint, long and float.
//! options -cl-std=CL2.0
//! global 200  # vary: local
//! arg a = int:fill:10:1
//! arg b = uint:zero:1
//! arg c = long:fill:-1:1
//! arg d = float:fill:1.5:200
//! arg e = int:zero:1
//! arg f = int:zero:1
//! expect a = int:data:-199
//! expect b = uint:data:255
//! expect c = long:data:-19901
//! expect d = float:range:0.5:1:200
//! expect e = int:data:199
//! expect f = int:data:600
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void test(global atomic_int* a, global atomic_uint* b, global atomic_long* c, global atomic_float* d,
                 global atomic_int* e, global atomic_int* f) {
  int n = get_global_id(0);
  atomic_fetch_min(a, -n);
  atomic_fetch_or_explicit(b, (uint)n, memory_order_acq_rel, memory_scope_all_svm_devices);
  atomic_fetch_sub_explicit(c, (long)n, memory_order_seq_cst);
  atomic_store(d + n, n + 0.25f);
  float old = atomic_exchange(d + n, 7.0f);
  atomic_store_explicit(d + n, old + atomic_load(d + n) - 6.75f, memory_order_release, memory_scope_work_group);
  atomic_exchange(e, n);
  atomic_fetch_max(e, 199);
  int seen = atomic_load_explicit(f, memory_order_relaxed);
  while (!atomic_compare_exchange_strong(f, &seen, seen + 3)) {}
}
