// Batches of a group that meets at no barrier: the first sub-group waits for the last one.
//! global 1024
//! local 512
//! subgroup-size 32
//! arg flag = uint:zero:2
//! arg out = uint:zero:1024
//! expect flag = 1 1
//! expect out = fill:5
kernel void wait(volatile global uint* flag, global uint* out) {
  const uint i = get_local_id(0);
  const uint group = get_group_id(0);
  if (i >= 480) {
    flag[group] = 1;
  } else {
    while (flag[group] == 0) {
    }
  }
  out[get_global_id(0)] = 5;
}
