// All work-items wait for memory that nothing in the kernel stores to; other groups have ended.
//! global 300
//! local 100
//! arg flag = uint:zero:1
//! arg out = uint:zero:300
//! expect fault TSP-R0048 on flag at 100 line 12
//! expect out[0] = 1
//! expect out[150] = 0
//! expect out[299] = 1
kernel void wait(volatile global uint* flag, global uint* out) {
  if (get_group_id(0) == 1)
    while (*flag == 0) {
    }
  out[get_global_id(0)] = 1;
}
