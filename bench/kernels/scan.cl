// Inclusive prefix sum of uints: scan_blocks scans each work-group's block (Hillis-Steele, double
// buffered in local memory) and stores the block's total; add_offsets adds the scanned totals.

__kernel void scan_blocks(__global const uint* input, __global uint* output,
                          __global uint* block_sums, __local uint* scratch, uint n) {
  uint lid = get_local_id(0);
  uint size = get_local_size(0);
  size_t gid = get_global_id(0);
  uint in = 0;
  uint out = size;
  scratch[lid] = gid < n ? input[gid] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 1; distance < size; distance *= 2) {
    uint value = scratch[in + lid];
    if (lid >= distance) value += scratch[in + lid - distance];
    scratch[out + lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint swap = in;
    in = out;
    out = swap;
  }
  if (gid < n) output[gid] = scratch[in + lid];
  if (lid == size - 1) block_sums[get_group_id(0)] = scratch[in + lid];
}

__kernel void add_offsets(__global uint* data, __global const uint* scanned_sums, uint n) {
  size_t gid = get_global_id(0);
  size_t group = get_group_id(0);
  if (group > 0 && gid < n) data[gid] += scanned_sums[group - 1];
}
