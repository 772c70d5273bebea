// Reservations of sub-groups between two branches of one condition.
//! global 64
//! local 64
//! options -cl-std=CL3.0
//! subgroup-size 16
//! arg in = pipe int 64 int:range:0:1:64
//! arg out = pipe int 128
//! arg got = int:zero:64
//! arg said = int:zero:4
//! expect in.packets = 0
//! expect out.packets = 64
//! expect got[0..3] = 1 1 1 1
//! expect got[63] = 1
//! expect out[0..1] = 0 1
//! expect said = 5 1 6 1
//! expect no faults
kernel void test(read_only pipe int in, write_only pipe int out, global int* got, global int* said) {
  const int i = get_global_id(0), value = get_sub_group_local_id();
  const uint l = get_sub_group_local_id(), n = get_sub_group_size(), g = get_sub_group_id();
  int packet = -1;
  if (l == 0 && g == 0) said[0] = 5;
  const reserve_id_t taken = sub_group_reserve_read_pipe(in, n);
  if (l == 0 && g == 0) said[1] = is_valid_reserve_id(taken);
  read_pipe(in, taken, l, &packet);
  sub_group_commit_read_pipe(in, taken);
  got[i] = packet % n == l;
  if (l == 0 && g == 0) said[2] = 6;
  const reserve_id_t given = sub_group_reserve_write_pipe(out, n);
  if (l == 0 && g == 0) said[3] = is_valid_reserve_id(given);
  write_pipe(out, given, l, &value);
  sub_group_commit_write_pipe(out, given);
}
