// Two arguments point into one buffer, one of them at an offset; a local array is a struct member.
//! buffer shared = int:range:0:1:100
//! global 50  # vary: local
//! arg low = buffer shared
//! arg high = buffer shared offset 200
//! expect shared[0..49] = int:range:50:2
//! expect shared[50..99] = int:range:0:1
kernel void test(global int* low, global int* high) {
  int n = get_global_id(0);
  int old = low[n];
  low[n] += high[n];
  high[n] = old;
}
