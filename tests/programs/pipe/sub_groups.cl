// Reservations of a sub-group, of both ends.
//! global 64
//! local 64
//! options -cl-std=CL2.0 -cl-ext=+cl_khr_subgroups
//! subgroup-size 16
//! arg in = pipe int 64 int:range:0:1:64
//! arg out = pipe int 64
//! arg got = int:zero:64
//! expect in.packets = 0
//! expect got[0..1] = 15 14
//! expect got[63] = 48
//! expect out[0..2] = 100 101 102
//! expect out[63] = 163
//! expect no faults
kernel void test(read_only pipe int in, write_only pipe int out, global int* got) {
  const int i = get_global_id(0);
  const uint n = get_sub_group_size(), l = get_sub_group_local_id();
  const reserve_id_t taken = sub_group_reserve_read_pipe(in, n);
  if (is_valid_reserve_id(taken)) read_pipe(in, taken, n - 1 - l, &got[i]);
  sub_group_commit_read_pipe(in, taken);
  const reserve_id_t given = sub_group_reserve_write_pipe(out, n);
  const int value = 100 + i;
  write_pipe(out, given, l, &value);
  sub_group_commit_write_pipe(out, given);
}
