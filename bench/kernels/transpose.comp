// transpose.cl in GLSL.
#version 450
#ifndef TILE
#define TILE 16
#endif
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(std430, binding = 0) readonly buffer From { uint from[]; };
layout(std430, binding = 1) writeonly buffer To { uint to[]; };
layout(push_constant) uniform Values { uint width; uint height; };
shared uint tile[TILE][TILE + 1];

void main() {
  uint x = gl_LocalInvocationID.x;
  uint y = gl_LocalInvocationID.y;
  uint left = gl_WorkGroupID.x * TILE;
  uint top = gl_WorkGroupID.y * TILE;
  tile[y][x] = from[(top + y) * width + left + x];
  barrier();
  to[(left + y) * height + top + x] = tile[x][y];
}
