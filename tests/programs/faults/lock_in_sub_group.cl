// A spin lock between work-items of one sub-group: the one that holds it waits for those that want it.
//! options -cl-std=CL2.0
//! global 32
//! local 32
//! subgroup-size 32
//! arg lock = uint:zero:1
//! arg counter = uint:zero:1
//! expect fault TSP-R0048 on lock at 1 line 14
//! expect lock = 1
//! expect counter = 0
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void count(volatile global uint* lock, volatile global uint* counter) {
  if (sub_group_any(get_local_id(0) == 40)) return;  // what needs the whole sub-group keeps it together
  while (atomic_cmpxchg(lock, 0, 1) != 0) {
  }
  *counter = *counter + 1;
  atomic_xchg(lock, 0);
}
