// A matrix whose rows become columns, with a tile of it in local memory.
kernel void transpose(global const float* in, global float* out, local float* tile) {
  int width = get_global_size(0), height = get_global_size(1), side = get_local_size(0);
  int x = get_local_id(0), y = get_local_id(1);
  tile[y * side + x] = in[get_global_id(1) * width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * side + y) * height + get_group_id(1) * side + x] = tile[x * side + y];
}
