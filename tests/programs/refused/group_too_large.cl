// A work-group that the launch makes too large, by far.
//! global 1048576
//! local 1048576
//! arg out = int:zero:1
//! expect refused TSP-C0004
kernel void test(global int* out) { out[0] = 1; }
