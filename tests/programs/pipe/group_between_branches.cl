// Reservations of a work-group between two branches of one condition: the call is one for all work-items, and stays so.
//! global 64
//! local 64
//! options -cl-std=CL3.0
//! arg in = pipe int 64 int:range:0:1:64
//! arg out = pipe int 128
//! arg got = int:zero:64
//! arg said = int:zero:4
//! expect in.packets = 0
//! expect out.packets = 64
//! expect out[0..2] = 100 101 102
//! expect got[0..2] = 0 1 2
//! expect got[63] = 63
//! expect said = 5 1 6 1
//! expect no faults
kernel void test(read_only pipe int in, write_only pipe int out, global int* got, global int* said) {
  const int i = get_global_id(0), value = 100 + i;
  if (i == 0) said[0] = 5;
  const reserve_id_t taken = work_group_reserve_read_pipe(in, 64);
  if (i == 0) said[1] = is_valid_reserve_id(taken);
  read_pipe(in, taken, i, &got[i]);
  work_group_commit_read_pipe(in, taken);
  if (i == 0) said[2] = 6;
  const reserve_id_t given = work_group_reserve_write_pipe(out, 64);
  if (i == 0) said[3] = is_valid_reserve_id(given);
  write_pipe(out, given, i, &value);
  work_group_commit_write_pipe(out, given);
}
