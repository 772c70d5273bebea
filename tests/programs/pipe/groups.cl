// Reservations of a work-group: one for all of its work-items, each of which writes or reads the packet at its place.
//! global 150
//! local 50
//! options -cl-std=CL2.0
//! arg in = pipe float 200 float:range:0:1:120
//! arg out = pipe int 150
//! arg got = float:zero:150
//! arg valid = int:zero:3
//! expect in.packets = 20
//! expect out.packets = 150
//! expect out[0..1] = 49 48
//! expect out[149] = 100
//! expect got[49] = 49
//! expect got[99..100] = 99 -1
//! expect valid = 1 1 0
//! expect no faults
kernel void test(read_only pipe float in, write_only pipe int out, global float* got, global int* valid) {
  const int i = get_global_id(0), n = get_local_size(0), l = get_local_id(0);
  const reserve_id_t taken = work_group_reserve_read_pipe(in, n);
  got[i] = -1;
  if (is_valid_reserve_id(taken)) {
    read_pipe(in, taken, l, &got[i]);
    work_group_commit_read_pipe(in, taken);
  }
  if (l == 0) valid[get_group_id(0)] = is_valid_reserve_id(taken);
  const reserve_id_t given = work_group_reserve_write_pipe(out, n);
  write_pipe(out, given, n - 1 - l, &i);
  work_group_commit_write_pipe(out, given);
}
