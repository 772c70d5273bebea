// Geometric functions of float whose results are exact, also where squares overflow or underflow.
//! kernel test
//! global 3
//! arg scales = float:data:1,0x1p120,0x1p-140
//! arg lengths = float:zero:24
//! arg normal = float:zero:12
//! arg products = float:zero:24
//! expect lengths[0..7] = 3 5 7 9 3 5 7 9
//! expect lengths[8..15] = 3.9876839873547476e+36 6.646139978924579e+36 9.304595970494411e+36 1.1963051962064243e+37 3.9876839873547476e+36 6.646139978924579e+36 9.304595970494411e+36 1.1963051962064243e+37
//! expect lengths[16..23] = 2.152394441202919e-42 3.587324068671532e-42 5.0222536961401444e-42 6.457183323608757e-42 2.152394441202919e-42 3.587324068671532e-42 5.0222536961401444e-42 6.457183323608757e-42
//! expect normal[0..3] = -1 0.6 0.8 0
//! expect normal[4..7] = -1 0.6 0.8 0
//! expect normal[8..11] = -1 0.6 0.8 0
//! expect products[0..7] = -3 6 -3 0 14 32 8 -1
kernel void test(global const float* scales, global float* lengths, global float* normal, global float* products) {
  int n = get_global_id(0);
  float s = scales[n];
  float2 a = (float2)(3, -4) * s;
  float3 b = (float3)(-2, 3, 6) * s;
  float4 c = (float4)(2, 4, -5, 6) * s;
  global float* out = lengths + 8 * n;
  out[0] = length(-3 * s);
  out[1] = length(a);
  out[2] = length(b);
  out[3] = length(c);
  out[4] = distance(-s, 2 * s);
  out[5] = distance(a, (float2)(0));
  out[6] = distance((float3)(0), b);
  out[7] = distance(c, (float4)(0));
  float3 unit = normalize((float3)(3, 4, 0) * s);
  vstore4((float4)(normalize(-2 * s), unit.x, normalize((float4)(0, 4, 0, 3) * s).y, normalize((float2)(0)).x), n, normal);
  if (n > 0) return;
  vstore3(cross((float3)(1, 2, 3), (float3)(4, 5, 6)), 0, products);
  products[3] = cross((float4)(1, 2, 3, 7), (float4)(4, 5, 6, 7)).w;
  products[4] = dot((float3)(1, 2, 3), (float3)(1, 2, 3));
  products[5] = dot((float3)(1, 2, 3), (float3)(4, 5, 6));
  products[6] = dot((float4)(1, 2, 3, 4), (float4)(4, -3, -2, 4));
  products[7] = dot((float2)(1, 2), (float2)(3, -2));
}
