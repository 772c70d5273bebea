// All work-items come to the barrier once, but in different rounds of the loop: batches of 64 and of 128 come there alike.
//! kernel test
//! global 512
//! local 256
//! arg out = uint:zero:512
//! expect fault TSP-R0040 at 0 line 12
//! expect out = uint:fill:6
kernel void test(global uint* out) {
  for (uint i = 0; i < 4; ++i) {
    out[get_global_id(0)] += i;
    if (i == get_local_id(0) / 64)
      barrier(CLK_LOCAL_MEM_FENCE);
  }
}
