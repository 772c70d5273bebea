// Conversions to half and float obey the launch's rounding; those that name a mode obey that.
//! global 4
//! arg out = float:zero:24
//! arg halves = half:zero:12
//! arg i = int:data:16777217,-16777217,2147483647,-2147483647
//! arg d = double:data:0.1,-0.1,1e300,-1e-300
//! arg f = float:data:2049.5,-2049.5,70000,-1e-8
//! rounding rtz
//! expect out[0..10] = 16777216 -16777216 2147483520 -2147483520 0.099999994 -0.099999994 3.4028235e38 -0 0.1 -0.1 inf
//! expect out[11..23] = -0 0.1 -0.099999994 inf -0 0.099999994 -0.1 3.4028235e38 -1e-45 2 -2 2147483520 -2147483520
//! expect halves[0..11] = 2048 -2048 65504 -0 2050 -2050 inf -0 2048 -2048 65504 -0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void convert(global float* out, global half* halves, global const int* i,
                    global const double* d, global const float* f) {
  const size_t n = get_global_id(0);
  out[n] = (float)i[n];
  out[4 + n] = (float)d[n];
  out[8 + n] = convert_float_rte(d[n]);
  out[12 + n] = convert_float_rtp(d[n]);
  out[16 + n] = convert_float_rtn(d[n]);
  out[20 + n] = (float)(n < 2 ? convert_int_rte(f[n] * 0.001f) : i[n]);
  vstore_half(f[n], n, halves);
  vstore_half_rte(f[n], n, halves + 4);
  halves[8 + n] = (half)f[n];
}
