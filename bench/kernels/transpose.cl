// Matrix transpose through a padded square tile in local memory; sizes are multiples of the tile.
#ifndef TILE
#define TILE 16
#endif

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void transpose(
    __global const uint* input, __global uint* output, uint width, uint height) {
  __local uint tile[TILE][TILE + 1];
  uint x = get_local_id(0);
  uint y = get_local_id(1);
  uint left = get_group_id(0) * TILE;
  uint top = get_group_id(1) * TILE;
  tile[y][x] = input[(top + y) * width + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  output[(left + y) * height + top + x] = tile[x][y];
}
