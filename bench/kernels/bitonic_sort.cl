// Ascending bitonic sort of uints. bitonic_global does one compare-exchange step over the whole
// array; bitonic_local does, for one block in local memory, every step that fits into the block
// for sizes first_size to last_size. Each work-item owns one pair, so nothing races.

static void order(uint* low, uint* high, bool ascending) {
  uint a = *low;
  uint b = *high;
  if ((a > b) == ascending) {
    *low = b;
    *high = a;
  }
}

__kernel void bitonic_global(__global uint* data, uint size, uint stride) {
  uint gid = get_global_id(0);
  uint i = 2 * gid - (gid & (stride - 1));
  uint low = data[i];
  uint high = data[i + stride];
  order(&low, &high, (i & size) == 0);
  data[i] = low;
  data[i + stride] = high;
}

__kernel void bitonic_local(__global uint* data, __local uint* block, uint first_size,
                            uint last_size) {
  uint lid = get_local_id(0);
  uint half_size = get_local_size(0);
  size_t base = get_group_id(0) * (size_t)half_size * 2;
  block[lid] = data[base + lid];
  block[lid + half_size] = data[base + lid + half_size];
  for (uint size = first_size; size <= last_size; size *= 2) {
    for (uint stride = min(size / 2, half_size); stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint i = 2 * lid - (lid & (stride - 1));
      uint low = block[i];
      uint high = block[i + stride];
      order(&low, &high, ((base + i) & size) == 0);
      block[i] = low;
      block[i + stride] = high;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[base + lid] = block[lid];
  data[base + lid + half_size] = block[lid + half_size];
}
