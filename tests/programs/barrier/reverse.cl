// Every work-item reads what its mirror image wrote; 256 work-items a group are several batches.
//! global 1024
//! local 256
//! arg out = uint:zero:1024
//! expect out[0..255] = uint:range:255:-1
//! expect out[256..511] = uint:range:511:-1
//! expect out[512..767] = uint:range:767:-1
//! expect out[768..1023] = uint:range:1023:-1
kernel void test(global uint* out) {
  local uint shared[256];
  uint l = get_local_id(0);
  shared[l] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = shared[255 - l];
}
