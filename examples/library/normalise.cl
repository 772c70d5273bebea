// Scales vectors to length 1.
kernel void normalise(global const float* x, global const float* y, global float* out) {
  size_t i = get_global_id(0);
  out[2 * i] = x[i] / sqrt(x[i] * x[i] + y[i] * y[i]);
  out[2 * i + 1] = y[i] / sqrt(x[i] * x[i] + y[i] * y[i]);
}
