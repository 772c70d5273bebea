// histogram_global of histogram.cl in GLSL.
#version 450
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Bytes { uint8_t bytes[]; };
layout(std430, binding = 1) buffer Bins { uint bins[]; };
layout(push_constant) uniform Values { uint n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) atomicAdd(bins[uint(bytes[i])], 1);
}
