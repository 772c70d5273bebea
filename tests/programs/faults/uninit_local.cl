// The last work-item reads local memory that nobody wrote, and stores it.
//! global 64
//! local 64
//! check uninit
//! arg out = uint:zero:64
//! expect fault TSP-R0101 on out at 63 line 11
kernel void test(global uint* out) {
  local uint t[65];
  t[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[get_local_id(0) + 1];
}
