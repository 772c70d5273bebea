// Source that does not compile is refused with what the compiler says.
//! global 1
//! expect refused TSP-C0030
kernel void test(global int* out) { out[0] = undeclared; }
