// fft16.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer From { vec2 from[]; };
layout(std430, binding = 1) writeonly buffer To { vec2 to[]; };
layout(push_constant) uniform Values { uint n; };
#define POINTS 16

const vec2 TWIDDLES[8] = {vec2(1.0, 0.0),
                          vec2(0.92387953, -0.38268343),
                          vec2(0.70710678, -0.70710678),
                          vec2(0.38268343, -0.92387953),
                          vec2(0.0, -1.0),
                          vec2(-0.38268343, -0.92387953),
                          vec2(-0.70710678, -0.70710678),
                          vec2(-0.92387953, -0.38268343)};

const uint REVERSED[POINTS] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  vec2 v[POINTS];
  for (uint p = 0; p < POINTS; ++p) v[REVERSED[p]] = from[p * n + i];
  for (uint half_size = 1; half_size < POINTS; half_size *= 2) {
    for (uint pair = 0; pair < POINTS / 2; ++pair) {
      uint k = pair & (half_size - 1);
      uint low = 2 * pair - k;
      vec2 w = TWIDDLES[k * (POINTS / 2 / half_size)];
      vec2 a = v[low];
      vec2 b = v[low + half_size];
      precise vec2 t = vec2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
      v[low] = a + t;
      v[low + half_size] = a - t;
    }
  }
  for (uint p = 0; p < POINTS; ++p) to[p * n + i] = v[p];
}
