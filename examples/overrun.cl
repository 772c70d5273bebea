// A launch that covers more work-items than the buffer has elements, as the fault that it is.
//! kernel fill
//! global 1088
//! local 64
//! arg y = int:zero:1024
//! expect fault TSP-R0021 on y at 1024
//! expect y = fill:7

kernel void fill(global int* y) { y[get_global_id(0)] = 7; }
