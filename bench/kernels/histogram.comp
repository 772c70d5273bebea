// histogram of histogram.cl in GLSL.
#version 450
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Bytes { uint8_t bytes[]; };
layout(std430, binding = 1) buffer Bins { uint bins[]; };
layout(push_constant) uniform Values { uint n; };
#define BINS 256
shared uint local_bins[BINS];

void main() {
  uint global_size = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint i = gl_LocalInvocationID.x; i < BINS; i += gl_WorkGroupSize.x) local_bins[i] = 0;
  barrier();
  for (uint i = gl_GlobalInvocationID.x; i < n; i += global_size)
    atomicAdd(local_bins[uint(bytes[i])], 1);
  barrier();
  for (uint i = gl_LocalInvocationID.x; i < BINS; i += gl_WorkGroupSize.x)
    if (local_bins[i] != 0) atomicAdd(bins[i], local_bins[i]);
}
