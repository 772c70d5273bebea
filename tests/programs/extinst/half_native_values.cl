// The half_ and native_ functions, with results computed by mpmath: within the 8,192 ULP that half_ functions have. native_ ones
// may have any error; Transpire's have no more.
//! global 4
//! arg x = float:data:0.5,1.5,3,10
//! arg y = float:data:2,-0.5,3,1.5
//! arg out = float:zero:112
//! # vary: local
//! expect out[0..3] ~ 8192ulp = 0.87758255 0.0707372 -0.9899925 -0.8390715
//! expect out[4..7] ~ 8192ulp = 1.6487212 4.481689 20.085537 22026.465
//! expect out[8..11] ~ 8192ulp = 1.4142135 2.828427 8 1024
//! expect out[12..15] ~ 8192ulp = 3.1622777 31.622776 1e+03 1e+10
//! expect out[16..19] ~ 8192ulp = -0.6931472 0.4054651 1.0986123 2.3025851
//! expect out[20..23] ~ 8192ulp = -1 0.5849625 1.5849625 3.321928
//! expect out[24..27] ~ 8192ulp = -0.30103 0.17609125 0.47712126 1
//! expect out[28..31] ~ 8192ulp = 2 0.6666667 0.33333334 0.1
//! expect out[32..35] ~ 8192ulp = 1.4142135 0.8164966 0.57735026 0.31622776
//! expect out[36..39] ~ 8192ulp = 0.47942555 0.997495 0.14112 -0.5440211
//! expect out[40..43] ~ 8192ulp = 0.70710677 1.2247449 1.7320508 3.1622777
//! expect out[44..47] ~ 8192ulp = 0.5463025 14.10142 -0.14254655 0.64836085
//! expect out[48..51] ~ 8192ulp = 0.25 -3 1 6.6666665
//! expect out[52..55] ~ 8192ulp = 0.25 0.8164966 27 31.622776
//! expect out[56..59] ~ 8192ulp = 0.87758255 0.0707372 -0.9899925 -0.8390715
//! expect out[60..63] ~ 8192ulp = 1.6487212 4.481689 20.085537 22026.465
//! expect out[64..67] ~ 8192ulp = 1.4142135 2.828427 8 1024
//! expect out[68..71] ~ 8192ulp = 3.1622777 31.622776 1e+03 1e+10
//! expect out[72..75] ~ 8192ulp = -0.6931472 0.4054651 1.0986123 2.3025851
//! expect out[76..79] ~ 8192ulp = -1 0.5849625 1.5849625 3.321928
//! expect out[80..83] ~ 8192ulp = -0.30103 0.17609125 0.47712126 1
//! expect out[84..87] ~ 8192ulp = 2 0.6666667 0.33333334 0.1
//! expect out[88..91] ~ 8192ulp = 1.4142135 0.8164966 0.57735026 0.31622776
//! expect out[92..95] ~ 8192ulp = 0.47942555 0.997495 0.14112 -0.5440211
//! expect out[96..99] ~ 8192ulp = 0.70710677 1.2247449 1.7320508 3.1622777
//! expect out[100..103] ~ 8192ulp = 0.5463025 14.10142 -0.14254655 0.64836085
//! expect out[104..107] ~ 8192ulp = 0.25 -3 1 6.6666665
//! expect out[108..111] ~ 8192ulp = 0.25 0.8164966 27 31.622776
#define PUT(value) { out[at] = (value); at += get_global_size(0); }
#define EACH(kind)                                                                                      \
  PUT(kind##_cos(v)) PUT(kind##_exp(v)) PUT(kind##_exp2(v)) PUT(kind##_exp10(v)) PUT(kind##_log(v))     \
  PUT(kind##_log2(v)) PUT(kind##_log10(v)) PUT(kind##_recip(v)) PUT(kind##_rsqrt(v)) PUT(kind##_sin(v)) \
  PUT(kind##_sqrt(v)) PUT(kind##_tan(v)) PUT(kind##_divide(v, w)) PUT(kind##_powr(v, w))
kernel void test(global const float* x, global const float* y, global float* out) {
  size_t at = get_global_id(0);
  const float v = x[at], w = y[at];
  EACH(half)
  EACH(native)
}
