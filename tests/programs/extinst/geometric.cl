// dot, cross, length, distance, normalize and their fast forms on vectors of two to four components.
//! global 9  # vary: local
//! arg a = float4:data:(3,4,0,0),(1,2,2,0),(0,0,0,0),(1,0,0,0),(-2,3,6,0),(8,9,12,0),(2,4,4,0),(1,4,8,0),(0,5,12,0)
//! arg b = float4:data:(0,0,1,0),(1,1,1,1),(5,5,5,5),(0,1,0,0),(1,0,0,2),(0,0,0,0),(2,2,2,2),(1,1,-1,-1),(3,0,4,0)
//! arg dots = float:zero:9
//! arg crosses = float4:zero:9
//! arg lengths = float:zero:9
//! arg distances = float:zero:9
//! arg normals = float4:zero:9
//! arg fast_lengths = float:zero:9
//! arg fast_distances = float:zero:9
//! arg fast_normals = float4:zero:9
//! arg small = float2:zero:9
//! expect dots = float:data:0,5,0,0,-2,0,20,-3,48
//! expect crosses = float4:data:(4,-3,0,0),(0,1,-1,0),(0,0,0,0),(0,0,1,0),(0,6,-3,0),(0,0,0,0),(0,4,-4,0),(-12,9,-3,0),(20,36,-15,0)
//! expect lengths ~ 2ulp = float:data:5,3,0,1,7,17,6,9,13
//! expect distances ~ 1e-6rel = float:data:5.0990195,1.7320508,10,1.4142135,7.615773,17,3.4641016,9.539392,9.899495
//! expect normals[0..1] ~ 4ulp = (0.6,0.8,0,0) (0.33333334,0.6666667,0.6666667,0)
//! expect normals[2..3] = (0,0,0,0) (1,0,0,0)
//! expect normals[4] ~ 4ulp = (-0.2857143,0.42857143,0.85714287,0)
//! expect fast_lengths ~ 1e-3rel = float:data:5,3,0,1,7,17,6,9,13
//! expect fast_distances ~ 1e-3rel = float:data:5.0990195,1.7320508,10,1.4142135,7.615773,17,3.4641016,9.539392,9.899495
//! expect fast_normals[0] ~ 1e-3rel = (0.6,0.8,0,0)
//! expect fast_normals[8] ~ 1e-3rel = (0,0.3846154,0.9230769,0)
//! expect small ~ 1e-6rel = float2:data:(5,3),(2.236068,1),(0,7.0710678),(1,1.4142135),(3.6055512,4.2426405),(12.0415945,12.0415945),(4.472136,2),(4.1231055,3),(5,5.8309517)
kernel void test(global const float4* a, global const float4* b, global float* dots, global float4* crosses,
                 global float* lengths, global float* distances, global float4* normals, global float* fast_lengths,
                 global float* fast_distances, global float4* fast_normals, global float2* small) {
  int n = get_global_id(0);
  float4 x = a[n], y = b[n];
  dots[n] = dot(x, y);
  crosses[n] = cross(x, y);
  lengths[n] = length(x.xyz);
  distances[n] = distance(x, y);
  normals[n] = normalize(x);
  fast_lengths[n] = fast_length(x);
  fast_distances[n] = fast_distance(x, y);
  fast_normals[n] = fast_normalize(x);
  small[n] = (float2)(length(x.xy), distance(n == 0 ? (float2)(3, 0) : x.xy, y.xy));
}
