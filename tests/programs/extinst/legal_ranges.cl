// Results that another implementation of the profile may give: math functions and division within their bounds, fused
// products and sums, subnormals that are flushed, half_ functions, and moved numbers as what they come from.
//! global 4  # vary: local
//! arg x = float:data:0.5,1.25,2.0,3.75
//! arg near = float:fill:0x1.001p0:4
//! arg tiny = float:data:0x1p-130,-0x1p-130,0x1p-120,1
//! arg sines = float:zero:4
//! arg exponentials = float:zero:4
//! arg quotients = float:zero:4
//! arg fused = float:zero:4
//! arg halves = float:zero:4
//! arg chosen = float:zero:4
//! arg doubles = double:zero:4
//! arg numbers = int:zero:4
//! expect sines ~ spec full = 0.47942566871643066 0.9489843845367432 0.9092975854873657 -0.5715612769126892
//! expect exponentials ~ spec full = 1.6487215757369995 3.490342140197754 7.389056205749512 42.52109146118164
//! expect exponentials[0] ~ spec embedded = 1.6487207412719727
//! expect quotients ~ spec full = 0.16666670143604279 0.41666659712791443 0.6666668653488159 1.25
//! expect fused ~ spec full = 0x1.0008p-11 0x1p-11 0x1.0004p-11 0x1p-11
//! expect tiny ~ spec full = 0 -0 0x1p-121 0.5
//! expect halves ~ spec full = 0.7072794437408447 1.1177610158920288 1.4142135381698608 1.9364917278289795
//! expect chosen ~ spec full = 0.877582311630249 3.009570837020874 0.4161469042301178 0.6965507864952087
//! expect doubles ~ spec full = -0.6931471805599453 0.22314355131420976 0.6931471805599453 1.3217558399823195
//! expect numbers ~ spec full = 0 1 2 3
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void test(global const float* x, global const float* near, global float* tiny, global float* sines, global float* exponentials,
                 global float* quotients, global float* fused, global float* halves, global float* chosen,
                 global double* doubles, global int* numbers) {
  int n = get_global_id(0);
  float v = x[n];
  sines[n] = sin(v);
  exponentials[n] = exp(v);
  quotients[n] = v / 3;
  fused[n] = near[n] * near[n] + (n - 1.0f - n);
  tiny[n] = tiny[n] * 0.5f;
  halves[n] = half_sqrt(v);
  chosen[n] = n % 2 ? tan(v) : fabs(cos(v));
  doubles[n] = log((double)v);
  numbers[n] = n;
}
