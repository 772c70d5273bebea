// Fast-math promises that are broken: an operand or a result is a NaN or an infinity all the same.
//! options -cl-finite-math-only
//! global 8
//! check ub
//! arg in = float:data:1,2,3,4,5,nan,inf,8,3e38
//! arg out = float:zero:16
//! expect fault TSP-R0065 at 4 line 13
//! expect fault TSP-R0065 at 5 line 13
//! expect fault TSP-R0065 at 6 line 13
//! expect out[0..15] = 3 5 7 9 nan nan inf 3e38 1 2 3 4 5 nan inf 8
kernel void test(global const float* in, global float* out) {
  int n = get_global_id(0);
  out[n] = in[n] + in[n + 1];
  out[n + 8] = in[n];
}
