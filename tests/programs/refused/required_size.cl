// A launch that contradicts the work-group size which the kernel requires.
//! global 64
//! local 16
//! arg out = int:zero:1
//! expect refused TSP-C0004
__attribute__((reqd_work_group_size(32, 1, 1))) kernel void test(global int* out) { out[0] = 1; }
