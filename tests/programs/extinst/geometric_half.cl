// Geometric functions of half whose results are exact, also where squares overflow or underflow.
//! kernel test
//! global 3
//! arg scales = half:data:1,0x1p12,0x1p-24
//! arg lengths = half:zero:24
//! arg normal = half:zero:12
//! arg products = half:zero:24
//! expect lengths[0..7] = 3 5 7 9 3 5 7 9
//! expect lengths[8..15] = 12288.0 20480.0 28672.0 36864.0 12288.0 20480.0 28672.0 36864.0
//! expect lengths[16..23] = 1.7881393432617188e-07 2.980232238769531e-07 4.172325134277344e-07 5.364418029785156e-07 1.7881393432617188e-07 2.980232238769531e-07 4.172325134277344e-07 5.364418029785156e-07
//! expect normal[0..3] = -1 0.60009765625 0.7998046875 0
//! expect normal[4..7] = -1 0.60009765625 0.7998046875 0
//! expect normal[8..11] = -1 0.60009765625 0.7998046875 0
//! expect products[0..7] = -3 6 -3 0 14 32 8 -1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void test(global const half* scales, global half* lengths, global half* normal, global half* products) {
  int n = get_global_id(0);
  half s = scales[n];
  half2 a = (half2)(3, -4) * s;
  half3 b = (half3)(-2, 3, 6) * s;
  half4 c = (half4)(2, 4, -5, 6) * s;
  global half* out = lengths + 8 * n;
  out[0] = length(-3 * s);
  out[1] = length(a);
  out[2] = length(b);
  out[3] = length(c);
  out[4] = distance(-s, 2 * s);
  out[5] = distance(a, (half2)(0));
  out[6] = distance((half3)(0), b);
  out[7] = distance(c, (half4)(0));
  half3 unit = normalize((half3)(3, 4, 0) * s);
  vstore4((half4)(normalize(-2 * s), unit.x, normalize((half4)(0, 4, 0, 3) * s).y, normalize((half2)(0)).x), n, normal);
  if (n > 0) return;
  vstore3(cross((half3)(1, 2, 3), (half3)(4, 5, 6)), 0, products);
  products[3] = cross((half4)(1, 2, 3, 7), (half4)(4, 5, 6, 7)).w;
  products[4] = dot((half3)(1, 2, 3), (half3)(1, 2, 3));
  products[5] = dot((half3)(1, 2, 3), (half3)(4, 5, 6));
  products[6] = dot((half4)(1, 2, 3, 4), (half4)(4, -3, -2, 4));
  products[7] = dot((half2)(1, 2), (half2)(3, -2));
}
