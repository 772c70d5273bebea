// 256-bin histograms of bytes. `histogram` builds one per work-group with local atomics and merges
// them with global ones; `histogram_global` only uses global atomics.
#define BINS 256

__kernel void histogram(__global const uchar* input, __global uint* bins, uint n) {
  __local uint local_bins[BINS];
  for (uint i = get_local_id(0); i < BINS; i += get_local_size(0)) local_bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&local_bins[input[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))
    if (local_bins[i] != 0) atomic_add(&bins[i], local_bins[i]);
}

__kernel void histogram_global(__global const uchar* input, __global uint* bins, uint n) {
  size_t i = get_global_id(0);
  if (i < n) atomic_inc(&bins[input[i]]);
}
