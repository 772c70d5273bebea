// The barriers of two branches are two, whatever optimisers make of them.
//! options -cl-std=CL1.2
//! check sync
//! global 64
//! local 64
//! arg out = int:zero:64
//! expect fault TSP-R0040 line 11:5
//! expect out = fill:1
kernel void test(global int* out) {
  if (get_local_id(0) < 20)
    barrier(CLK_LOCAL_MEM_FENCE);
  else
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = 1;
}
