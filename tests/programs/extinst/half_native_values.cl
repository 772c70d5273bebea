// The half_ and native_ functions, with results computed by mpmath: within the 8,192 ULP that half_ functions have. native_ ones
// may have any error; Transpire's have no more.
//! global 4  # vary: local
//! arg x = float:data:0.5,1.5,3,10
//! arg y = float:data:2,-0.5,3,1.5
//! arg out = float:zero:112
//! expect out[0..11] ~ 8192ulp = 0.87758255 0.0707372 -0.9899925 -0.8390715 1.6487212 4.481689 20.085537 22026.465 1.4142135 2.828427 8 1024
//! expect out[12..24] ~ 8192ulp = 3.1622777 31.622776 1e+03 1e+10 -0.6931472 0.4054651 1.0986123 2.3025851 -1 0.5849625 1.5849625 3.321928 -0.30103
//! expect out[25..37] ~ 8192ulp = 0.17609125 0.47712126 1 2 0.6666667 0.33333334 0.1 1.4142135 0.8164966 0.57735026 0.31622776 0.47942555 0.997495
//! expect out[38..50] ~ 8192ulp = 0.14112 -0.5440211 0.70710677 1.2247449 1.7320508 3.1622777 0.5463025 14.10142 -0.14254655 0.64836085 0.25 -3 1
//! expect out[51..62] ~ 8192ulp = 6.6666665 0.25 0.8164966 27 31.622776 0.87758255 0.0707372 -0.9899925 -0.8390715 1.6487212 4.481689 20.085537
//! expect out[63..76] ~ 8192ulp = 22026.465 1.4142135 2.828427 8 1024 3.1622777 31.622776 1e+03 1e+10 -0.6931472 0.4054651 1.0986123 2.3025851 -1
//! expect out[77..89] ~ 8192ulp = 0.5849625 1.5849625 3.321928 -0.30103 0.17609125 0.47712126 1 2 0.6666667 0.33333334 0.1 1.4142135 0.8164966
//! expect out[90..100] ~ 8192ulp = 0.57735026 0.31622776 0.47942555 0.997495 0.14112 -0.5440211 0.70710677 1.2247449 1.7320508 3.1622777 0.5463025
//! expect out[101..111] ~ 8192ulp = 14.10142 -0.14254655 0.64836085 0.25 -3 1 6.6666665 0.25 0.8164966 27 31.622776
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
