// Work-items of a group that reserve together ask for different numbers: what the first one asks for is reserved. The second
// kernel asks for the same number.
//! options -cl-std=CL2.0
//! buffer ok = int:zero:8
//! kernel differing
//! check sync
//! global 4
//! local 4
//! arg p = pipe int 16
//! arg ok = buffer ok
//! expect fault TSP-R0045 line 23
//! launch
//! kernel same
//! global 4
//! local 4
//! arg q = pipe int 16
//! arg ok = buffer ok
//! expect no faults
//! expect q.packets = 7
//! expect ok = 1 1 1 1 1 1 1 1
kernel void differing(write_only pipe int p, global int* ok) {
  const int i = get_local_id(0);
  const reserve_id_t id = work_group_reserve_write_pipe(p, 4 + (i == 2));
  ok[i] = is_valid_reserve_id(id) && write_pipe(p, id, i, &i) == 0;
  work_group_commit_write_pipe(p, id);
}
kernel void same(write_only pipe int q, global int* ok) {
  const int i = get_local_id(0);
  const reserve_id_t id = work_group_reserve_write_pipe(q, 7);
  ok[4 + i] = is_valid_reserve_id(id) && write_pipe(q, id, i, &i) == 0;
  if (i < 3) write_pipe(q, id, 4 + i, &i);
  work_group_commit_write_pipe(q, id);
}
