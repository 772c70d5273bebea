// Several kernels in a module, launched one after the other on the same buffers.
//! buffer a = int:range:1:1:100
//! buffer b = int:zero:100
//! kernel square
//! global 100  # vary: local
//! arg x = buffer a
//! launch
//! kernel copy
//! arg from = buffer a
//! arg to = buffer b
//! launch
//! kernel negate
//! arg x = buffer a
//! expect a[0..4] = -1 -4 -9 -16 -25
//! expect b[0..4] = 1 4 9 16 25
//! expect b[99] = 10000
//! launch
kernel void square(global int* x) { x[get_global_id(0)] *= x[get_global_id(0)]; }
kernel void copy(global const int* from, global int* to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void negate(global int* x) { x[get_global_id(0)] = -x[get_global_id(0)]; }
