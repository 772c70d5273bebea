// convolution5x5.cl in GLSL.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(std430, binding = 0) readonly buffer From { float from[]; };
layout(std430, binding = 1) readonly buffer Weights { float weights[]; };
layout(std430, binding = 2) writeonly buffer To { float to[]; };
layout(push_constant) uniform Values { int width; int height; };
#define RADIUS 2

void main() {
  int column = int(gl_GlobalInvocationID.x);
  int row = int(gl_GlobalInvocationID.y);
  if (column >= width || row >= height) return;
  precise float sum = 0.0;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy) {
    for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
      int x = column + dx;
      int y = row + dy;
      if (x < 0 || x >= width || y < 0 || y >= height) continue;
      sum += from[y * width + x] * weights[(dy + RADIUS) * (2 * RADIUS + 1) + dx + RADIUS];
    }
  }
  to[row * width + column] = sum;
}
