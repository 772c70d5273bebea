// The smallest kernel that shows that it has run.
kernel void tiny(global uint* y) {
  size_t i = get_global_id(0);
  y[i] = y[i] + 1;
}
