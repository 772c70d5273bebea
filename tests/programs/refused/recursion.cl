// Recursion is not allowed in OpenCL.
//! options -O0
//! global 4
//! arg out = int:zero:4
//! expect refused TSP-U0005
int depth(int n) { return n == 0 ? 0 : 1 + depth(n / 2); }
kernel void test(global int* out) { out[get_global_id(0)] = depth(get_global_id(0)); }
