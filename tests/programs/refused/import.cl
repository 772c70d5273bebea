// A call of a function that no module defines.
//! global 1
//! arg out = int:zero:1
//! expect refused TSP-U0006
int elsewhere(int x);
kernel void test(global int* out) { out[0] = elsewhere(1); }
