// Each work-item takes what the one before it left, without atomics, twice with a barrier between: one after the other.
//! global 12
//! local 4
//! schedule serial
//! arg counter = uint:zero:1
//! arg first = uint:zero:12
//! arg second = uint:zero:12
//! launch
//! expect counter = 24
//! expect first = 0 1 2 3 8 9 10 11 16 17 18 19
//! expect second = 4 5 6 7 12 13 14 15 20 21 22 23
kernel void turns(global uint* counter, global uint* first, global uint* second) {
  uint place = *counter;
  first[get_global_id(0)] = place;
  *counter = place + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  place = *counter;
  second[get_global_id(0)] = place;
  *counter = place + 1;
}
