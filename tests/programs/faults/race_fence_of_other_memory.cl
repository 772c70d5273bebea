// The barrier between the stores to local memory and the loads of it orders global memory.
//! global 128
//! local 64
//! check race
//! arg out = uint:zero:128
//! expect fault TSP-R0100 at 0 line 11
kernel void test(global uint* out) {
  local uint tile[64];
  tile[get_local_id(0)] = get_global_id(0);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}
