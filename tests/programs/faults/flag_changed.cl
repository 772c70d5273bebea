// An atomic flag is changed by a store, and by another atomic. Initialising it is in order, and so is a flag of the next
// work-group at the same place.
//! check ub
//! global 4
//! local 2
//! options -cl-std=CL2.0
//! arg flags = int:zero:4
//! arg out = int:zero:4
//! expect out = 0 1 0 1
//! expect flags = 0 5 1 1
//! expect fault TSP-R0034 on flags at 0 line 24
//! expect fault TSP-R0034 on flags at 1 line 25
kernel void test(global volatile int* flags, global int* out) {
  const int i = get_global_id(0), l = get_local_id(0);
  local atomic_flag mine;
  if (l == 0) *(volatile local int*)&mine = 0;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  const int was_set = l == 0 ? atomic_flag_test_and_set(&mine) : 1;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = was_set;
  if (l == 0) atomic_flag_clear(&mine);
  volatile global atomic_flag* shared = (volatile global atomic_flag*)(flags + i);
  atomic_flag_test_and_set(shared);
  if (i == 0) flags[0] = 0;
  if (i == 1) atomic_store((volatile global atomic_int*)(flags + 1), 5);
}
