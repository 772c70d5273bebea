// An `inline` function of C99 has a body and, without clang's optimiser, the linkage of what is elsewhere: it is the module's own.
//! global 4
//! check all
//! arg out = int:zero:4
//! expect out = 1 3 5 7
//! expect no faults
inline int twice(int x) { return 2 * x; }
inline int next(int x);
inline int next(int x) { return x + 1; }
kernel void test(global int* out) { out[get_global_id(0)] = next(twice((int)get_global_id(0))); }
