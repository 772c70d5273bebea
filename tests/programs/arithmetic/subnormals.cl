// Subnormal floats and doubles are kept, not flushed.
//! global 70  # vary: local
//! arg f = float:fill:1.1754944e-38:70
//! arg d = double:fill:2.2250738585072014e-308:70
//! expect f[0..3] = 1.1754944e-38 5.877472e-39 2.938736e-39 1.469368e-39
//! expect f[22..25] = 2.8e-45 1e-45 0 0
//! expect d[0..2] = 2.2250738585072014e-308 1.1125369292536007e-308 5.562684646268003e-309
//! expect d[50..54] = 2e-323 1e-323 5e-324 0 0
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void test(global float* f, global double* d) {
  int n = get_global_id(0);
  float x = f[n];
  double y = d[n];
  for (int i = 0; i < n; i++) {
    x *= 0.5f;
    y *= 0.5;
  }
  f[n] = x + 0.0f;
  d[n] = y;
}
