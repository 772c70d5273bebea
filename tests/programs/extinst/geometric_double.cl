// Geometric functions of double whose results are exact, also where squares overflow or underflow.
//! kernel test
//! global 3
//! arg scales = double:data:1,0x1p1000,0x1p-1060
//! arg lengths = double:zero:24
//! arg normal = double:zero:12
//! arg products = double:zero:24
//! expect lengths[0..7] = 3 5 7 9 3 5 7 9
//! expect lengths[8..15] = 3.214525821558802e+301 5.357543035931337e+301 7.500560250303871e+301 9.643577464676406e+301 3.214525821558802e+301 5.357543035931337e+301 7.500560250303871e+301 9.643577464676406e+301
//! expect lengths[16..23] = 2.42843e-319 4.0474e-319 5.66634e-319 7.2853e-319 2.42843e-319 4.0474e-319 5.66634e-319 7.2853e-319
//! expect normal[0..3] = -1 0.6 0.8 0
//! expect normal[4..7] = -1 0.6 0.8 0
//! expect normal[8..11] = -1 0.6 0.8 0
//! expect products[0..7] = -3 6 -3 0 14 32 8 -1
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void test(global const double* scales, global double* lengths, global double* normal, global double* products) {
  int n = get_global_id(0);
  double s = scales[n];
  double2 a = (double2)(3, -4) * s;
  double3 b = (double3)(-2, 3, 6) * s;
  double4 c = (double4)(2, 4, -5, 6) * s;
  global double* out = lengths + 8 * n;
  out[0] = length(-3 * s);
  out[1] = length(a);
  out[2] = length(b);
  out[3] = length(c);
  out[4] = distance(-s, 2 * s);
  out[5] = distance(a, (double2)(0));
  out[6] = distance((double3)(0), b);
  out[7] = distance(c, (double4)(0));
  double3 unit = normalize((double3)(3, 4, 0) * s);
  vstore4((double4)(normalize(-2 * s), unit.x, normalize((double4)(0, 4, 0, 3) * s).y, normalize((double2)(0)).x), n, normal);
  if (n > 0) return;
  vstore3(cross((double3)(1, 2, 3), (double3)(4, 5, 6)), 0, products);
  products[3] = cross((double4)(1, 2, 3, 7), (double4)(4, 5, 6, 7)).w;
  products[4] = dot((double3)(1, 2, 3), (double3)(1, 2, 3));
  products[5] = dot((double3)(1, 2, 3), (double3)(4, 5, 6));
  products[6] = dot((double4)(1, 2, 3, 4), (double4)(4, -3, -2, 4));
  products[7] = dot((double2)(1, 2), (double2)(3, -2));
}
