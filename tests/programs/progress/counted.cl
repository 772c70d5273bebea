// Loops that wait and count: each ends, by the flag or by what it counts, and what it counted is right behind it.
//! kernel bounded
//! global 128
//! local 64
//! arg flag = uint:zero:1
//! arg out = uint:zero:128
//! launch
//! expect out = fill:100000
//! kernel handed_on
//! global 256
//! local 128
//! subgroup-size 32
//! arg flag = uint:zero:2
//! arg out = uint:zero:256
//! expect out = fill:1
kernel void bounded(volatile global uint* flag, global uint* out) {
  uint rounds = 0;
  while (*flag == 0 && rounds < 100000) ++rounds;
  out[get_global_id(0)] = rounds;
}

// What the first loop counted decides how long the second one runs, in which others are still waited for.
kernel void handed_on(volatile global uint* flag, global uint* out) {
  const uint i = get_local_id(0), group = get_group_id(0);
  uint rounds = 0;
  if (i >= 96) {
    for (uint n = 0; n < 3000 + i; ++n) rounds += *flag == n + 5;
    flag[group] = 1;
  } else {
    while (flag[group] == 0) ++rounds;
    uint left = rounds;
    while (left != 0) left -= flag[group];
  }
  out[get_global_id(0)] = 1;
}
