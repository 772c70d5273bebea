// scan_blocks of scan.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) buffer From { uint from[]; };
layout(std430, binding = 1) buffer To { uint to[]; };
layout(std430, binding = 2) writeonly buffer BlockSums { uint block_sums[]; };
layout(push_constant) uniform Values { uint n; };
shared uint scratch[2 * gl_WorkGroupSize.x];

void main() {
  uint lid = gl_LocalInvocationID.x;
  uint size = gl_WorkGroupSize.x;
  uint gid = gl_GlobalInvocationID.x;
  uint first = 0;
  uint second = size;
  scratch[lid] = gid < n ? from[gid] : 0;
  barrier();
  for (uint distance = 1; distance < size; distance *= 2) {
    uint value = scratch[first + lid];
    if (lid >= distance) value += scratch[first + lid - distance];
    scratch[second + lid] = value;
    barrier();
    uint swap = first;
    first = second;
    second = swap;
  }
  if (gid < n) to[gid] = scratch[first + lid];
  if (lid == size - 1) block_sums[gl_WorkGroupID.x] = scratch[first + lid];
}
