// Turns each work-group's row round, with the wrong fence: a barrier that orders global memory, where local memory is meant.
kernel void turn(global uint* out) {
  local uint row[64];
  row[get_local_id(0)] = get_global_id(0);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = row[63 - get_local_id(0)];
}
