// One buffer as constant and as written memory: a constant load after a store gives what was stored.
//! global 70
//! buffer data = int:range:0:1:70
//! arg c = buffer data
//! arg g = buffer data
//! arg out = int:zero:140
//! expect fault TSP-R0029 on c
//! expect out[0..69] = int:range:0:1
//! expect out[70..139] = int:range:100:1
kernel void test(constant int* c, global int* g, global int* out) {
  int n = get_global_id(0);
  int before = c[n];
  g[n] = before + 100;
  out[n] = before;
  if (before >= 0) out[70 + n] = c[n];
}
