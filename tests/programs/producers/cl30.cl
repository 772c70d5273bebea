// OpenCL C 3.0.
//! options -cl-std=CL3.0
//! global 66  # vary: local
//! arg out = ulong:zero:66
//! expect out = ulong:range:0:4294967297:66
kernel void test(global ulong* out) {
  ulong n = get_global_id(0);
  out[n] = n << 32 | n;
}
