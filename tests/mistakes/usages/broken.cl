kernel void k(global int* y) {
  y[get_global_id(0)] = x;
}
