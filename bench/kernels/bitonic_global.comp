// bitonic_global of bitonic_sort.cl in GLSL. All groups of a shader are full: the last may have too many work-items.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Values { uint size; uint stride; };

void order(inout uint low, inout uint high, bool ascending) {
  uint a = low;
  uint b = high;
  if ((a > b) == ascending) {
    low = b;
    high = a;
  }
}

void main() {
  uint gid = gl_GlobalInvocationID.x;
  if (gid >= data.length() / 2) return;
  uint i = 2 * gid - (gid & (stride - 1));
  uint low = data[i];
  uint high = data[i + stride];
  order(low, high, (i & size) == 0);
  data[i] = low;
  data[i + stride] = high;
}
