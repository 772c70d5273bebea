// spmv_csr.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer RowStarts { uint row_starts[]; };
layout(std430, binding = 1) readonly buffer Columns { uint columns[]; };
layout(std430, binding = 2) readonly buffer Elements { float values[]; };
layout(std430, binding = 3) readonly buffer X { float x[]; };
layout(std430, binding = 4) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Values { uint rows; };

void main() {
  uint row = gl_GlobalInvocationID.x;
  if (row >= rows) return;
  precise float sum = 0.0;
  uint end = row_starts[row + 1];
  for (uint k = row_starts[row]; k < end; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}
