// --check=race: packets of work-items' own memory, read and written, and what one hands on to another behind a barrier.
//! global 64
//! local 32
//! options -cl-std=CL2.0
//! check race
//! arg in = pipe int2 64 int2:range:0:1
//! arg out = pipe int2 64
//! arg seen = int2:zero:64
//! arg rc = int2:zero:64
//! expect rc = zero:64
//! expect out.packets = 64
//! expect no faults
kernel void test(read_only pipe int2 in, write_only pipe int2 out, global int2* seen, global int2* rc) {
  local int2 packets[32];
  const int i = get_global_id(0), l = get_local_id(0);
  const reserve_id_t taken = work_group_reserve_read_pipe(in, 32);
  const int from = read_pipe(in, taken, l, &packets[l]);
  work_group_commit_read_pipe(in, taken);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  const int to = write_pipe(out, &packets[31 - l]);
  seen[i] = packets[31 - l];
  rc[i] = (int2)(from, to);
}
