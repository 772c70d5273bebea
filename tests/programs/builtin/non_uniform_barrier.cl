// A barrier works in the smaller last group too: 100 work-items in groups of 64.
//! options -cl-std=CL2.0
//! global 100
//! local 64
//! arg out = uint:zero:100
//! expect out[0..63] = uint:range:63:-1
//! expect out[64..99] = uint:range:99:-1
kernel void test(global uint* out) {
  local uint shared[64];
  uint l = get_local_id(0), g = get_global_id(0);
  shared[l] = g;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = shared[get_local_size(0) - 1 - l];
}
