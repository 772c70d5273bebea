// Sub-groups of one group hand a turn round, each waiting for the one before it and then for all of them; then from the last one.
//! kernel turns
//! global 512
//! local 256
//! subgroup-size 32
//! arg out = uint:zero:512
//! launch
//! expect out[0] = 0
//! expect out[32] = 1
//! expect out[255..256] = 7 0
//! expect out[511] = 7
//! kernel backwards
//! arg out = uint:zero:512
//! launch
//! expect out[0] = 7
//! expect out[255..256] = 0 7
//! expect out[511] = 0
void take_turns(volatile local uint* turn, global uint* out, uint own) {
  if (get_local_id(0) == 0) *turn = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  while (*turn / 32 != own) {
  }
  out[get_global_id(0)] = own;
  atomic_inc(turn);  // so do the other work-items of the sub-group
  while (*turn != 256) {
  }
}

kernel void turns(global uint* out) {
  local uint turn;
  take_turns(&turn, out, get_local_id(0) / 32);
}

kernel void backwards(global uint* out) {
  local uint turn;
  take_turns(&turn, out, 7 - get_local_id(0) / 32);
}
