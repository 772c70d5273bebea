// The fast_ functions of all widths, within the 8,192 ULP that they have, and dot of scalars, which is exact here.
//! global 1
//! arg lengths = float:zero:8
//! arg units = float4:zero:4
//! arg halves = half:zero:1
//! arg floats = float:zero:1
//! arg doubles = double:zero:1
//! expect lengths ~ 8192ulp = 3 5 7 9 3 5 7 9
//! expect units[0..2] ~ 8192ulp = (-1,0,0,0) (0.6,-0.8,0,0) (-0.2857142857,0.4285714286,0.8571428571,0)
//! expect units[3] ~ 8192ulp = (0.2222222222,0.4444444444,-0.5555555556,0.6666666667)
//! expect halves[0] = -7.5
//! expect floats[0] = -7.5
//! expect doubles[0] = -7.5
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void test(global float* lengths, global float4* units, global half* halves, global float* floats,
                 global double* doubles) {
  const float2 a = (float2)(3, -4);
  const float3 b = (float3)(-2, 3, 6);
  const float4 c = (float4)(2, 4, -5, 6);
  lengths[0] = fast_length(-3.0f);
  lengths[1] = fast_length(a);
  lengths[2] = fast_length(b);
  lengths[3] = fast_length(c);
  lengths[4] = fast_distance(-1.0f, 2.0f);
  lengths[5] = fast_distance(a + 1, (float2)(1));
  lengths[6] = fast_distance((float3)(1), 1 - b);
  lengths[7] = fast_distance(c, (float4)(0));
  units[0] = (float4)(fast_normalize(-3.0f), 0, 0, 0);
  units[1] = (float4)(fast_normalize(a), 0, 0);
  units[2] = (float4)(fast_normalize(b), 0);
  units[3] = fast_normalize(c);
  halves[0] = dot((half)2.5f, (half)-3);
  floats[0] = dot(2.5f, -3.0f);
  doubles[0] = dot(2.5, -3.0);
}
