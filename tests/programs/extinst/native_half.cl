// native_ and half_ functions are at least as exact as half_ functions must be (8192 ulp).
//! global 5  # vary: local
//! arg x = float:data:0.5,1,1.75,3,7.5
//! arg half_out = float8:zero:5
//! arg native_out = float8:zero:5
//! expect half_out[1] ~ 8192ulp = (0.5403023,0.84147096,2.7182817,0,1,1,1.5574077,2)
//! expect half_out[3] ~ 8192ulp = (-0.9899925,0.14112,20.085537,1.0986123,0.57735026,1.7320508,-0.14254655,8)
//! expect half_out[4] ~ 8192ulp = (0.34663534,0.93799996,1808.0424,2.0149031,0.36514837,2.738613,2.7060139,181.01933)
//! expect native_out[1] ~ 8192ulp = (0.5403023,0.84147096,2.7182817,0,1,1,1.5574077,2)
//! expect native_out[3] ~ 8192ulp = (-0.9899925,0.14112,20.085537,1.0986123,0.57735026,1.7320508,-0.14254655,8)
//! expect native_out[4] ~ 8192ulp = (0.34663534,0.93799996,1808.0424,2.0149031,0.36514837,2.738613,2.7060139,181.01933)
kernel void test(global const float* x, global float8* half_out, global float8* native_out) {
  int n = get_global_id(0);
  float a = x[n];
  half_out[n] = (float8)(half_cos(a), half_sin(a), half_exp(a), half_log(a), half_rsqrt(a),
                         half_divide(a, half_sqrt(a)), half_tan(a), half_powr(2.0f, a) * half_recip(1.0f));
  native_out[n] = (float8)(native_cos(a), native_sin(a), native_exp(a), native_log(a), native_rsqrt(a),
                           native_divide(a, native_sqrt(a)), native_tan(a), native_powr(2.0f, a) * native_recip(1.0f));
}
