// The barrier of OpenCL C 2.0 with a memory scope, in local and global memory.
//! options -cl-std=CL2.0
//! kernel test
//! global 128
//! local 64
//! arg data = uint:range:0:1:128
//! expect data[0..63] = uint:range:126:-1
//! expect data[64..127] = uint:range:318:-1
kernel void test(global uint* data) {
  local uint shared[64];
  uint l = get_local_id(0), g = get_global_id(0);
  shared[l] = data[g];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  uint x = shared[63 - l];
  data[g] = g + x;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  uint first = data[get_group_id(0) * 64];
  work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  data[g] = first - l + x + l - 63 + (63 - l) - x + g - (g - l) - l;
}
