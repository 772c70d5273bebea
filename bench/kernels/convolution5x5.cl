// 5 x 5 convolution of a float image; samples outside the image count as zero, which makes the
// border branchy.
#pragma OPENCL FP_CONTRACT OFF
#define RADIUS 2

__kernel void convolution5x5(__global const float* input, __constant float* weights,
                             __global float* output, int width, int height) {
  int column = get_global_id(0);
  int row = get_global_id(1);
  if (column >= width || row >= height) return;
  float sum = 0.0f;
  int dx, dy;
  for (dy = -RADIUS; dy <= RADIUS; ++dy) {
    for (dx = -RADIUS; dx <= RADIUS; ++dx) {
      int x = column + dx;
      int y = row + dy;
      if (x < 0 || x >= width || y < 0 || y >= height) continue;
      sum += input[y * width + x] * weights[(dy + RADIUS) * (2 * RADIUS + 1) + dx + RADIUS];
    }
  }
  output[row * width + column] = sum;
}
