// By a seed that takes work-items one by one, each takes what the one before it left, whichever that is: nobody loses an addition.
//! global 12
//! local 4
//! schedule random
//! seed 5
//! arg counter = uint:zero:1
//! arg first = uint:zero:12
//! arg second = uint:zero:12
//! launch
//! expect counter = 24
kernel void turns(global uint* counter, global uint* first, global uint* second) {
  uint place = *counter;
  first[get_global_id(0)] = place;
  *counter = place + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  place = *counter;
  second[get_global_id(0)] = place;
  *counter = place + 1;
}
