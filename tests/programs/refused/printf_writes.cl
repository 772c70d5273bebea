// printf's %n, which OpenCL C reserves.
//! global 1
//! arg out = int:zero:1
//! expect refused TSP-U0002
kernel void test(global int* out) { printf("%n", out); }
