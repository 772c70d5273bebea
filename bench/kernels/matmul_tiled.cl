// C = A * B for square row-major matrices, with square tiles staged through local memory.
#pragma OPENCL FP_CONTRACT OFF
#ifndef TILE
#define TILE 16
#endif

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void matmul_tiled(
    __global const float* a, __global const float* b, __global float* c, uint n) {
  __local float tile_a[TILE][TILE];
  __local float tile_b[TILE][TILE];
  uint column = get_global_id(0);
  uint row = get_global_id(1);
  uint x = get_local_id(0);
  uint y = get_local_id(1);
  float sum = 0.0f;
  for (uint base = 0; base < n; base += TILE) {
    tile_a[y][x] = a[row * n + base + x];
    tile_b[y][x] = b[(base + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < TILE; ++k) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
