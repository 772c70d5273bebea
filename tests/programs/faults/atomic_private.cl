// Atomics on a private variable, by a generic pointer that may lead to global memory as well.
//! check ub
//! global 4
//! options -cl-std=CL2.0
//! arg counter = int:data:0
//! arg out = int:zero:4
//! expect out = 8 0 8 0
//! expect counter = 2
//! expect fault TSP-R0033 at 0 line 14
kernel void test(global int* counter, global int* out) {
  int own = 7;
  int* chosen = counter;
  if (get_global_id(0) % 2 == 0) chosen = &own;
  atomic_fetch_add((volatile atomic_int*)chosen, 1);
  out[get_global_id(0)] = get_global_id(0) % 2 == 0 ? own : 0;
}
