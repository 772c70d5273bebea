// Each work-item takes what the one before it left, without atomics, twice with a barrier between: from the last one.
//! global 12
//! local 4
//! schedule reverse
//! arg counter = uint:zero:1
//! arg first = uint:zero:12
//! arg second = uint:zero:12
//! launch
//! expect counter = 24
//! expect first = 19 18 17 16 11 10 9 8 3 2 1 0
//! expect second = 23 22 21 20 15 14 13 12 7 6 5 4
kernel void turns(global uint* counter, global uint* first, global uint* second) {
  uint place = *counter;
  first[get_global_id(0)] = place;
  *counter = place + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  place = *counter;
  second[get_global_id(0)] = place;
  *counter = place + 1;
}
