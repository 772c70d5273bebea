// Escape iteration counts of the Mandelbrot set: a divergent loop with a tiny body.
#pragma OPENCL FP_CONTRACT OFF

__kernel void mandelbrot(__global uint* counts, uint width, uint height, float left, float top,
                         float step, uint limit) {
  uint column = get_global_id(0);
  uint row = get_global_id(1);
  if (column >= width || row >= height) return;
  float cr = left + (float)column * step;
  float ci = top + (float)row * step;
  float zr = 0.0f;
  float zi = 0.0f;
  uint count = 0;
  while (count < limit) {
    float rr = zr * zr;
    float ii = zi * zi;
    if (rr + ii > 4.0f) break;
    zi = 2.0f * zr * zi + ci;
    zr = rr - ii + cr;
    ++count;
  }
  counts[row * width + column] = count;
}
