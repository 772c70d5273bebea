// The same sub-group function in both branches: each is executed by its own work-items, also where clang's
// optimiser could make one call of the two.
//! options -cl-std=CL3.0
//! global 48
//! local 48
//! arg out = uint:zero:48
//! expect out[0..9] = 1 1 1 1 1 1 1 1 1 1
//! expect out[10..31] = 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11
//! expect out[32..41] = 33 33 33 33 33 33 33 33 33 33
//! expect out[42..47] = 43 43 43 43 43 43
kernel void test(global uint* out) {
  size_t i = get_global_id(0);
  uint x = i + 1;
  if (get_sub_group_local_id() < 10)
    out[i] = sub_group_broadcast_first(x);
  else
    out[i] = sub_group_broadcast_first(x);
}
