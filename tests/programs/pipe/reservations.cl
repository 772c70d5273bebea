// Reservations of a work-item: packets by index, in any order; a reservation that fails is not valid; what was reserved first
// comes out first, even where it is committed last.
//! global 2
//! local 2
//! options -cl-std=CL2.0
//! arg in = pipe short2 8 short2:data:(0,1),(2,3),(4,5),(6,7),(8,9)
//! arg out = pipe uint 6
//! arg got = short2:zero:4
//! arg flags = int:zero:8
//! expect in = (8,9)
//! expect out = 10 11 11 12 20 20
//! expect got = (2,3) (0,1) (6,7) (4,5)
//! expect flags = 1 1 0 0 0 0 0 1
//! expect no faults
kernel void test(read_only pipe short2 in, write_only pipe uint out, global short2* got, global int* flags) {
  const int i = get_global_id(0);
  const reserve_id_t taken = reserve_read_pipe(in, 2);
  flags[i] = is_valid_reserve_id(taken);
  read_pipe(in, taken, 0, &got[i * 2 + 1]);
  read_pipe(in, taken, 1, &got[i * 2]);
  commit_read_pipe(in, taken);
  const reserve_id_t first = reserve_write_pipe(out, 2);
  barrier(CLK_LOCAL_MEM_FENCE);
  const reserve_id_t second = reserve_write_pipe(out, 1);
  flags[2 + i] = is_valid_reserve_id(reserve_read_pipe(in, 2)) + is_valid_reserve_id(reserve_write_pipe(out, 1));
  uint value = 20;
  write_pipe(out, second, 0, &value);
  commit_write_pipe(out, second);
  flags[4 + i] = get_pipe_num_packets(out) != 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 2; k-- > 0;) {
    value = 10 + i + k;
    write_pipe(out, first, k, &value);
  }
  if (i == 1) commit_write_pipe(out, first);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 1) flags[6] = get_pipe_num_packets(out);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) commit_write_pipe(out, first);
  if (i == 0) flags[7] = get_pipe_num_packets(out) == 6;
}
