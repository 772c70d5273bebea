// y = a * x + y, the smallest useful kernel.
//! kernel saxpy
//! global 1024
//! local 64
//! arg y = float:range:0:1:1024
//! arg x = float:fill:2:1024
//! arg a = 3
//! expect y = float:range:6:1:1024

kernel void saxpy(global float* y, global const float* x, float a) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}
