// STREAM triad, a[i] = b[i] + s * c[i]: memory bandwidth, one float per work-item.
#pragma OPENCL FP_CONTRACT OFF

__kernel void stream_triad(__global float* a, __global const float* b, __global const float* c,
                           float s, uint n) {
  size_t i = get_global_id(0);
  if (i < n) a[i] = b[i] + s * c[i];
}
