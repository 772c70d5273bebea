// What atomics make of memory that nothing wrote: counts that were never set to zero, values that are exchanged for others.
//! poison off
//! options -cl-std=CL1.2
//! kernel counts
//! global 64
//! check uninit
//! arg h = uint:uninit:16
//! arg in = uchar:range:0:1:64
//! launch
//! expect fault TSP-R0101 on h line 41:3
//! kernel exchanges
//! global 4
//! check uninit
//! arg o = int:zero:8
//! arg u = int:uninit:4
//! launch
//! expect fault TSP-R0101 on o line 47:3
//! expect fault TSP-R0101 line 48:3
//! kernel sets
//! global 32
//! local 32
//! check uninit
//! arg o = int:zero:2
//! arg low = uint:uninit:1
//! launch
//! expect o = 32 -33
//! expect fault TSP-R0101 on low line 59:5
//! kernel locks
//! global 1
//! local 1
//! check uninit
//! arg o = int:zero:2
//! launch
//! expect o = 1 1
//! expect fault TSP-R0101 on o line 75:8
// The result is not used: what is stored is what there was, and one more.

#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable

kernel void counts(global uint* h, const global uchar* in) {
  atomic_inc(&h[in[get_global_id(0)] & 15]);
}

/// By one that is undefined, and for one that is undefined.
kernel void exchanges(global int* o, const global int* u) {
  const int g = get_global_id(0), x = u[g];
  atomic_cmpxchg(o + g, 0, x);
  atomic_cmpxchg(o + 4 + g, x, 3);
}

/// Bits that an operand sets or clears are defined, and of `low` half of them.
kernel void sets(global int* o, global uint* low) {
  local int a, b;
  atomic_and(&a, 0);
  atomic_or(&b, -1);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&a);
  if (get_local_id(0) == 0)
    atomic_and(low, 0xffff);
  atomic_dec(&b);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    o[0] = a;
    o[1] = b;
  }
}

/// Whether the lock was taken depends on what nobody wrote.
kernel void locks(global int* o) {
  local int lock, free;
  free = 0;
  atomic_cmpxchg(&lock, 0, 1);
  atomic_cmpxchg(&free, 0, 1);
  o[1] = free;
  o[0] = lock;
}
