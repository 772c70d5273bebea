// The launch names a kernel that the module does not have.
//! kernel tset
//! global 1
//! arg out = int:zero:1
//! expect refused TSP-C0002
kernel void test(global int* out) { out[0] = 1; }
