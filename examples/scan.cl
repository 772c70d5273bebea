// Inclusive sums within each work-group, with local memory and barriers.
kernel void scan(global const uint* in, global uint* out, local uint* sums) {
  size_t i = get_local_id(0);
  sums[i] = in[get_global_id(0)];
  for (size_t step = 1; step < get_local_size(0); step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = i >= step ? sums[i - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[i] += before;
  }
  out[get_global_id(0)] = sums[i];
}
