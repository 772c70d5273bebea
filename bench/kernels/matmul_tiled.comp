// matmul_tiled.cl in GLSL.
#version 450
#ifndef TILE
#define TILE 16
#endif
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Values { uint n; };
shared float tile_a[TILE][TILE];
shared float tile_b[TILE][TILE];

void main() {
  uint column = gl_GlobalInvocationID.x;
  uint row = gl_GlobalInvocationID.y;
  uint x = gl_LocalInvocationID.x;
  uint y = gl_LocalInvocationID.y;
  precise float sum = 0.0;
  for (uint base = 0; base < n; base += TILE) {
    tile_a[y][x] = a[row * n + base + x];
    tile_b[y][x] = b[(base + y) * n + column];
    barrier();
    for (uint k = 0; k < TILE; ++k) sum += tile_a[y][k] * tile_b[k][x];
    barrier();
  }
  c[row * n + column] = sum;
}
