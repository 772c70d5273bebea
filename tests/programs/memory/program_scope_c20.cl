// OpenCL C 2.0 program-scope variables in global memory: an array, and a pointer into it.
//! options -cl-std=CL2.0
//! global 64
//! local 64
//! arg out = int:zero:64
//! expect out[0..7] = 10 21 32 43 50 61 72 83
//! expect out[60..63] = 610 621 632 643
global int table[4] = {10, 20, 30, 40};
global int* global middle = &table[2];
kernel void test(global int* out) {
  uint n = get_global_id(0);
  out[n] = middle[(int)(n % 4) - 2] + n % 4 + (n / 4) * 40;
}
