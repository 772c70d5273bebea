// Sparse matrix times vector, compressed rows, a row per work-item: gathers and loops of uneven
// length.
#pragma OPENCL FP_CONTRACT OFF

__kernel void spmv_csr(__global const uint* row_starts, __global const uint* columns,
                       __global const float* values, __global const float* x, __global float* y,
                       uint rows) {
  size_t row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0.0f;
  uint end = row_starts[row + 1];
  for (uint k = row_starts[row]; k < end; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}
