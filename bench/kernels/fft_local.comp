// fft_local.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer From { vec2 from[]; };
layout(std430, binding = 1) readonly buffer Twiddles { vec2 twiddles[]; };
layout(std430, binding = 2) writeonly buffer To { vec2 to[]; };
#define POINTS 1024
#define HALF_POINTS 512
shared vec2 buffers[2][POINTS];

void main() {
  uint lid = gl_LocalInvocationID.x;
  uint base = gl_WorkGroupID.x * POINTS;
  buffers[0][lid] = from[base + lid];
  buffers[0][lid + HALF_POINTS] = from[base + lid + HALF_POINTS];
  uint source = 0;
  for (uint stride = 1; stride < POINTS; stride *= 2) {
    barrier();
    uint k = lid & (stride - 1);
    vec2 w = twiddles[k * (HALF_POINTS / stride)];
    vec2 a = buffers[source][lid];
    vec2 b = buffers[source][lid + HALF_POINTS];
    precise vec2 t = vec2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
    uint target = 2 * lid - k;
    buffers[1 - source][target] = a + t;
    buffers[1 - source][target + stride] = a - t;
    source = 1 - source;
  }
  barrier();
  to[base + lid] = buffers[source][lid];
  to[base + lid + HALF_POINTS] = buffers[source][lid + HALF_POINTS];
}
