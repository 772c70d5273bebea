// Sum of floats, a partial sum per work-group: two elements per work-item, then a tree in local
// memory with a barrier per level.
#pragma OPENCL FP_CONTRACT OFF

__kernel void reduction(__global const float* input, __global float* partial_sums,
                        __local float* scratch) {
  uint lid = get_local_id(0);
  uint size = get_local_size(0);
  size_t base = get_group_id(0) * (size_t)size * 2;
  scratch[lid] = input[base + lid] + input[base + size + lid];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint stride = size / 2; stride > 0; stride /= 2) {
    if (lid < stride) scratch[lid] += scratch[lid + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) partial_sums[get_group_id(0)] = scratch[0];
}
