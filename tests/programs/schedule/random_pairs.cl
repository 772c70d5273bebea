// By a seed that takes two work-items at once, these two find the same: half of the additions are left.
//! global 12
//! local 4
//! schedule random
//! seed 4
//! arg counter = uint:zero:1
//! arg first = uint:zero:12
//! arg second = uint:zero:12
//! launch
//! expect counter = 12
kernel void turns(global uint* counter, global uint* first, global uint* second) {
  uint place = *counter;
  first[get_global_id(0)] = place;
  *counter = place + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  place = *counter;
  second[get_global_id(0)] = place;
  *counter = place + 1;
}
