// bitonic_local of bitonic_sort.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Values { uint first_size; uint last_size; };
shared uint block[2 * gl_WorkGroupSize.x];

void order(inout uint low, inout uint high, bool ascending) {
  uint a = low;
  uint b = high;
  if ((a > b) == ascending) {
    low = b;
    high = a;
  }
}

void main() {
  uint lid = gl_LocalInvocationID.x;
  uint half_size = gl_WorkGroupSize.x;
  uint base = gl_WorkGroupID.x * half_size * 2;
  block[lid] = data[base + lid];
  block[lid + half_size] = data[base + lid + half_size];
  for (uint size = first_size; size <= last_size; size *= 2) {
    for (uint stride = min(size / 2, half_size); stride > 0; stride /= 2) {
      barrier();
      uint i = 2 * lid - (lid & (stride - 1));
      uint low = block[i];
      uint high = block[i + stride];
      order(low, high, ((base + i) & size) == 0);
      block[i] = low;
      block[i + stride] = high;
    }
  }
  barrier();
  data[base + lid] = block[lid];
  data[base + lid + half_size] = block[lid + half_size];
}
