// The same sub-group function in both branches: each is executed by its own work-items, also where clang's
// optimiser could make one call of the two.
//! options -cl-std=CL3.0
//! global 48
//! local 48
//! arg out = uint:zero:48
//! expect out[0..44] = 1 1 1 1 1 1 1 1 1 1 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 11 33 33 33 33 33 33 33 33 33 33 43 43 43
//! expect out[45..47] = 43 43 43
kernel void test(global uint* out) {
  size_t i = get_global_id(0);
  uint x = i + 1;
  if (get_sub_group_local_id() < 10)
    out[i] = sub_group_broadcast_first(x);
  else
    out[i] = sub_group_broadcast_first(x);
}
