// prefetch does nothing that a kernel can see.
//! global 66  # vary: local
//! arg data = uint:range:0:1:66
//! expect data = uint:range:1:1:66
kernel void test(global uint* data) {
  uint n = get_global_id(0);
  prefetch(data + n, 1);
  data[n] += 1;
}
