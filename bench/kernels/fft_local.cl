// Batched 1024-point complex FFT, radix-2 Stockham in local memory, 512 work-items per transform,
// double buffered. Twiddle factors come from a table.
#pragma OPENCL FP_CONTRACT OFF
#define POINTS 1024
#define HALF_POINTS 512

__kernel __attribute__((reqd_work_group_size(HALF_POINTS, 1, 1))) void fft_local(
    __global const float2* input, __global const float2* twiddles, __global float2* output) {
  __local float2 buffer[2][POINTS];
  uint lid = get_local_id(0);
  size_t base = get_group_id(0) * (size_t)POINTS;
  buffer[0][lid] = input[base + lid];
  buffer[0][lid + HALF_POINTS] = input[base + lid + HALF_POINTS];
  uint source = 0;
  uint stride;
  for (stride = 1; stride < POINTS; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint k = lid & (stride - 1);
    float2 w = twiddles[k * (HALF_POINTS / stride)];
    float2 a = buffer[source][lid];
    float2 b = buffer[source][lid + HALF_POINTS];
    float2 t = (float2)(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
    uint target = 2 * lid - k;
    buffer[1 - source][target] = a + t;
    buffer[1 - source][target + stride] = a - t;
    source = 1 - source;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  output[base + lid] = buffer[source][lid];
  output[base + lid + HALF_POINTS] = buffer[source][lid + HALF_POINTS];
}
