// Work-item functions are defined for dimensions that do not exist: ids are 0, and sizes 1. With the check for undefined
// behaviour as well, though translators extract components that the vector has not.
//! check ub
//! global 4
//! arg dimension = int:data:3,0,-1,2
//! arg ids = uint:zero:4
//! arg sizes = uint:zero:4
//! expect ids = 0 1 0 0
//! expect sizes = 1 4 1 1
//! expect no faults
kernel void test(global const int* dimension, global uint* ids, global uint* sizes) {
  const int n = get_global_id(0);
  ids[n] = get_global_id(dimension[n]);
  sizes[n] = get_global_size(dimension[n]);
}
