// Array-of-structures float4 work: each vertex goes through a chain of 4 x 4 matrices and is
// clamped and blended along the way.
#pragma OPENCL FP_CONTRACT OFF

__kernel void float4_transform(__global const float4* vertices, __constant float4* matrices,
                               __global float4* output, uint matrix_count, uint n) {
  size_t i = get_global_id(0);
  if (i >= n) return;
  float4 v = vertices[i];
  float4 blend = (float4)(0.0f);
  for (uint m = 0; m < matrix_count; ++m) {
    __constant float4* columns = matrices + 4 * m;
    v = columns[0] * v.x + columns[1] * v.y + columns[2] * v.z + columns[3] * v.w;
    v = clamp(v, -8.0f, 8.0f);
    blend += v.wzyx * 0.25f - blend * 0.5f;
  }
  output[i] = v + blend;
}
