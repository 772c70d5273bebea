// The same exchange in groups of 300 work-items, which fill no whole number of batches, of 37 and 1, and of 1,000.
//! global 300
//! local 300
//! arg out = uint:zero:300
//! arg shared = local:1200
//! expect out = uint:range:299:-1:300
//! launch
//! global 37
//! local 37
//! arg out = uint:zero:37
//! expect out = uint:range:36:-1:37
//! launch
//! global 3
//! local 1
//! arg out = uint:zero:3
//! expect out = uint:range:0:1:3
//! launch
//! global 1000
//! local 1000
//! arg out = uint:zero:1000
//! arg shared = local:4000
//! expect out = uint:range:999:-1:1000
//! launch
kernel void test(global uint* out, local uint* shared) {
  uint l = get_local_id(0);
  shared[l] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = shared[get_local_size(0) - 1 - l];
}
