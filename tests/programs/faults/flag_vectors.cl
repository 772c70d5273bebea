// A store of a vector changes a flag where its components lie: where its offset leads, and not at its pointer.
//! options -cl-std=CL2.0
//! check ub
//! global 1
//! arg flags = int:zero:8
//! arg out = int:zero:1
//! expect flags = 1 2 3 4 1 2 0 0
//! expect fault TSP-R0034 on flags at 0 line 14
//! expect no faults
kernel void test(global int* flags, global int* out) {
  volatile global atomic_flag* flag = (volatile global atomic_flag*)(flags + 3);
  out[0] = atomic_flag_test_and_set(flag);
  vstore2((int2)(1, 2), 2, flags);
  vstore4((int4)(1, 2, 3, 4), 0, flags);
}
