// stream_triad.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) writeonly buffer A { precise float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) readonly buffer C { float c[]; };
layout(push_constant) uniform Values { float s; uint n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) a[i] = b[i] + s * c[i];
}
