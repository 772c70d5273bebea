// A use of a constant variable that no module defines.
//! global 1
//! arg out = int:zero:1
//! expect refused TSP-U0008
extern constant int table[4];
kernel void test(global int* out) { out[0] = table[1]; }
