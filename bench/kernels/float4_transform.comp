// float4_transform.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Vertices { vec4 vertices[]; };
layout(std430, binding = 1) readonly buffer Matrices { vec4 matrices[]; };
layout(std430, binding = 2) writeonly buffer Transformed { vec4 transformed[]; };
layout(push_constant) uniform Values { uint matrix_count; uint n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  precise vec4 v = vertices[i];
  precise vec4 blend = vec4(0.0);
  for (uint m = 0; m < matrix_count; ++m) {
    uint columns = 4 * m;
    v = matrices[columns] * v.x + matrices[columns + 1] * v.y + matrices[columns + 2] * v.z +
        matrices[columns + 3] * v.w;
    v = clamp(v, -8.0, 8.0);
    blend += v.wzyx * 0.25 - blend * 0.5;
  }
  transformed[i] = v + blend;
}
