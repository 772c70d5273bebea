// The same arguments without optimisation.
//! options -O0
//! global 40  # vary: local
//! arg b = struct {3, 2.5, {7, -8}, 100000000000}
//! arg v = (10,20,30)
//! arg c = -7
//! arg out = double:zero:40
//! expect out = double:range:100000000057.5:3:40
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct { char a; float f; short s[2]; long l; } box;
kernel void test(box b, float3 v, char c, global double* out) {
  int n = get_global_id(0);
  out[n] = b.a * n + b.f + b.s[0] + b.s[1] + (double)b.l + v.x + v.y + v.z + c + (c < 0 ? 3 : 0) + c * 0.0;
}
