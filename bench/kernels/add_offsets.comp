// add_offsets of scan.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
layout(std430, binding = 1) readonly buffer ScannedSums { uint scanned_sums[]; };
layout(push_constant) uniform Values { uint n; };

void main() {
  uint gid = gl_GlobalInvocationID.x;
  uint group = gl_WorkGroupID.x;
  if (group > 0 && gid < n) data[gid] += scanned_sums[group - 1];
}
