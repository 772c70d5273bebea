// mix, step, smoothstep, clamp, degrees, radians and sign, on scalars and vectors. All results are exact or checked closely.
//! global 65  # vary: local
//! arg out = float4:zero:65
//! arg smooth_out = float:zero:65
//! arg angles = float2:zero:65
//! expect out[0] = (0,10,-1,-8)
//! expect out[16] = (4,6,-1,-4)
//! expect out[32] = (8,2,0,0)
//! expect out[48] = (12,-2,1,4)
//! expect out[64] = (16,-6,1,8)
//! expect smooth_out[0..8] = 0 0 0 0 0 0 0 0 0
//! expect smooth_out[16] ~ 1ulp = 0
//! expect smooth_out[24] ~ 2ulp = 0.15625
//! expect smooth_out[32] ~ 2ulp = 0.5
//! expect smooth_out[40] ~ 2ulp = 0.84375
//! expect smooth_out[48..56] = 1 1 1 1 1 1 1 1 1
//! expect angles[0] = (0,0)
//! expect angles[45] ~ 2ulp = (0.7853982,2578.31)
//! expect angles[60] ~ 2ulp = (1.0471976,3437.7468)
kernel void test(global float4* out, global float* smooth_out, global float2* angles) {
  int n = get_global_id(0);
  float f = n * 0.25f;
  out[n] = (float4)(mix(0.0f, 16.0f, n / 64.0f), mix(10.0f, -6.0f, n / 64.0f), sign(f - 8.0f),
                    clamp(f - 8.0f, -20.0f, 20.0f));
  smooth_out[n] = smoothstep(4.0f, 12.0f, f) * step(4.0f, f);
  angles[n] = (float2)(radians((float)n), degrees((float)n));
}
