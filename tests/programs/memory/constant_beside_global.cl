// One buffer as constant and as global memory that is only read, or read-only: nothing is wrong.
//! global 70  # vary: local
//! buffer data = int:range:0:1:70
//! arg c = buffer data
//! arg g = buffer data
//! arg out = int:zero:70
//! expect out = int:range:0:2:70
kernel void test(constant int* c, global int* g, global int* out) {
  int n = get_global_id(0);
  out[n] = c[n] + g[n];
}
