// A launch that is repeated with its two buffers exchanged after each turn: a one-dimensional diffusion.
//! global 64  # vary: local
//! arg from = int:range:0:64:64
//! arg to = int:zero:64
//! repeat 5 swap from to
//! expect from[0..2] = 34 78 131
//! expect from[3..58] = range:192:64
//! expect from[59..63] = 3772 3792 3636 3040 1784
//! expect to[0..2] = 32 75 130
//! expect to[3..59] = range:192:64
//! expect to[60..63] = 3824 3744 3232 1952
kernel void smooth_line(global const int* from, global int* to) {
  int n = get_global_id(0);
  int left = n > 0 ? from[n - 1] : 0, right = n < 63 ? from[n + 1] : 0;
  to[n] = (left + 2 * from[n] + right) / 4;
}
