// Adds up each work-group's numbers, and forgets that the work-items of the second half have to write local memory, too.
kernel void sums(global const float* in, global float* out) {
  local float part[64];
  const size_t i = get_local_id(0);
  if (i < 32) part[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t step = 32; step > 0; step /= 2) {
    if (i < step) part[i] += part[i + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) out[get_group_id(0)] = part[0];
}
