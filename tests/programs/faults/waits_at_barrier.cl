// One sub-group waits for a flag that another one sets behind a barrier, which the first one never comes to.
//! global 128
//! local 64
//! subgroup-size 32
//! arg flag = uint:zero:1
//! expect fault TSP-R0048 on flag at 0 line 10
//! expect flag = 0
kernel void wait(volatile global uint* flag) {
  if (get_local_id(0) < 32)
    while (*flag == 0) {
    }
  barrier(CLK_GLOBAL_MEM_FENCE);
  *flag = 1;
}
