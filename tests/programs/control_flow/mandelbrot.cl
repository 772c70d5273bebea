// Escape times of the Mandelbrot set on a small grid; lanes leave the loop at different turns.
//! global 20,15  # vary: local
//! arg out = uint:zero:300
//! expect out[0..56] = 1 1 2 3 3 3 3 3 3 3 4 4 4 5 13 64 9 5 4 4 1 1 2 3 3 3 3 3 3 4 4 5 6 7 22 64 34 7 5 4 1 2 3 3 3 3 3 4 4 5 5 9 20 64 64 64 64
//! expect out[57..107] = 64 17 11 1 3 3 3 3 3 4 5 5 5 6 12 64 64 64 64 64 64 64 9 1 3 3 4 4 5 14 7 8 7 8 64 64 64 64 64 64 64 64 17 1 4 4 4 5 6 9 64
//! expect out[108..150] = 64 24 13 64 64 64 64 64 64 64 64 64 1 4 4 6 7 11 19 64 64 64 26 64 64 64 64 64 64 64 64 17 64 64 64 64 64 64 64 64 64 64 64
//! expect out[151..195] = 64 64 64 64 64 64 64 64 7 1 4 4 6 7 11 19 64 64 64 26 64 64 64 64 64 64 64 64 17 1 4 4 4 5 6 9 64 64 24 13 64 64 64 64 64
//! expect out[196..246] = 64 64 64 64 1 3 3 4 4 5 14 7 8 7 8 64 64 64 64 64 64 64 64 17 1 3 3 3 3 3 4 5 5 5 6 12 64 64 64 64 64 64 64 9 1 2 3 3 3 3 3
//! expect out[247..299] = 4 4 5 5 9 20 64 64 64 64 64 17 11 1 1 2 3 3 3 3 3 3 4 4 5 6 7 22 64 34 7 5 4 1 1 2 3 3 3 3 3 3 3 4 4 4 5 13 64 9 5 4 4
#pragma OPENCL FP_CONTRACT OFF
kernel void mandelbrot(global uint* out) {
  int px = get_global_id(0), py = get_global_id(1);
  float cx = -2.0f + px * 0.125f, cy = -0.875f + py * 0.125f;
  float x = 0, y = 0;
  uint k = 0;
  while (k < 64 && x * x + y * y <= 4) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    k++;
  }
  out[py * 20 + px] = k;
}
