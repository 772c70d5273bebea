// reduction.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Elements { float elements[]; };
layout(std430, binding = 1) writeonly buffer PartialSums { float partial_sums[]; };
shared float scratch[gl_WorkGroupSize.x];

void main() {
  uint lid = gl_LocalInvocationID.x;
  uint size = gl_WorkGroupSize.x;
  uint base = gl_WorkGroupID.x * size * 2;
  scratch[lid] = elements[base + lid] + elements[base + size + lid];
  barrier();
  for (uint stride = size / 2; stride > 0; stride /= 2) {
    if (lid < stride) scratch[lid] += scratch[lid + stride];
    barrier();
  }
  if (lid == 0) partial_sums[gl_WorkGroupID.x] = scratch[0];
}
