// y = a * x + y as a compute shader. The buffers are not as long as the groups.
//! groups 16
//! bind y = float:range:0:1:1000
//! bind x = float:fill:2:1000
//! push a = 3
//! push n = 1000
//! expect y = float:range:6:1:1000
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { float x[]; };
layout(push_constant) uniform P { float a; uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) y[i] += a * x[i];
}
