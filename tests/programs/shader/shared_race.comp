// Faults: without a barrier, work-items of a group read shared memory that others write.
//! groups 1
//! check race
//! arg y = float:fill:1:64
//! expect fault TSP-R0100
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[64];
void main() {
  uint l = gl_LocalInvocationID.x;
  tile[l] = y[l];
  y[l] = tile[63u - l];
}
