// The barrier of OpenCL C 2.0 with a memory scope, for local and for global memory.
//! options -cl-std=CL2.0
//! global 128
//! local 64
//! arg data = uint:range:0:1:128
//! expect data[0..62] = uint:range:64:1
//! expect data[63] = 63
//! expect data[64..126] = uint:range:256:1
//! expect data[127] = 255
kernel void test(global uint* data) {
  local uint shared[64];
  uint l = get_local_id(0), g = get_global_id(0);
  shared[l] = data[g];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  data[g] = g * 2 + shared[63 - l];
  work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
  uint next = data[get_group_id(0) * 64 + (l + 1) % 64];
  work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  data[g] = next;
}
