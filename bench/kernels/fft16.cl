// A 16-point complex FFT per work-item, radix 2 in private arrays. Point p of transform i is at
// index p * n + i.
#pragma OPENCL FP_CONTRACT OFF
#define POINTS 16

__constant float2 TWIDDLES[8] = {(float2)(1.0f, 0.0f),
                                 (float2)(0.92387953f, -0.38268343f),
                                 (float2)(0.70710678f, -0.70710678f),
                                 (float2)(0.38268343f, -0.92387953f),
                                 (float2)(0.0f, -1.0f),
                                 (float2)(-0.38268343f, -0.92387953f),
                                 (float2)(-0.70710678f, -0.70710678f),
                                 (float2)(-0.92387953f, -0.38268343f)};

__constant uchar REVERSED[POINTS] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

__kernel void fft16(__global const float2* input, __global float2* output, uint n) {
  size_t i = get_global_id(0);
  if (i >= n) return;
  float2 v[POINTS];
  uint p, half_size, pair;
  for (p = 0; p < POINTS; ++p) v[REVERSED[p]] = input[p * n + i];
  for (half_size = 1; half_size < POINTS; half_size *= 2) {
    for (pair = 0; pair < POINTS / 2; ++pair) {
      uint k = pair & (half_size - 1);
      uint low = 2 * pair - k;
      float2 w = TWIDDLES[k * (POINTS / 2 / half_size)];
      float2 a = v[low];
      float2 b = v[low + half_size];
      float2 t = (float2)(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
      v[low] = a + t;
      v[low + half_size] = a - t;
    }
  }
  for (p = 0; p < POINTS; ++p) output[p * n + i] = v[p];
}
