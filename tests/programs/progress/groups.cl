// Each work-group waits for the next one, of which several share a batch where they are small.
//! kernel chain
//! global 1200
//! local 100
//! arg flags = uint:zero:13
//! arg out = uint:zero:12
//! arg last = uint:12
//! launch
//! expect out = 12 11 10 9 8 7 6 5 4 3 2 1
//! global 60
//! local 5
//! arg flags = uint:zero:13
//! arg out = uint:zero:12
//! launch
//! expect out = 12 11 10 9 8 7 6 5 4 3 2 1
//! kernel meet
//! global 640
//! local 64
//! arg count = uint:zero:1
//! arg out = uint:zero:640
//! launch
//! expect count = 20
//! expect out = fill:10
kernel void chain(volatile global uint* flags, global uint* out, uint last) {
  if (get_local_id(0) != 0) return;
  const uint group = get_group_id(0);
  uint after = 0;
  if (group + 1 != last)
    while ((after = atomic_or(&flags[group + 1], 0)) == 0) {
    }
  out[group] = after + 1;
  atomic_xchg(&flags[group], after + 1);
}

/// All groups meet twice.
kernel void meet(volatile global uint* count, global uint* out) {
  const uint groups = get_num_groups(0);
  local uint seen;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    atomic_inc(count);
    while (atomic_or(count, 0) < groups) {
    }
    seen = groups;
    atomic_inc(count);
    while (atomic_or(count, 0) < 2 * groups) {
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = seen;
}
