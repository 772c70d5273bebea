// A launch that leaves an argument out.
//! global 1
//! arg out = int:zero:1
//! expect refused TSP-C0003
kernel void test(global int* out, int value) { out[0] = value; }
