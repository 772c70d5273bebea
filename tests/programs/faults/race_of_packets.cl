// Pipes order nothing, and the memory that a packet goes to or comes from is the work-item's to access: one that two
// read packets into, and one that is written to a pipe while another work-item stores there.
//! global 2
//! local 2
//! options -cl-std=CL2.0
//! check race
//! arg in = pipe int 2 int:data:1,2
//! arg out = pipe int 2
//! arg one = int:zero:1
//! arg own = int:data:5,6
//! arg rc = int:zero:4
//! expect rc = zero:4
//! expect fault TSP-R0100 on one line 22
//! expect fault TSP-R0100 on own line 23
//! expect fault TSP-R0100 on test.packet line 25
kernel void test(read_only pipe int in, write_only pipe int out, global int* one, global int* own,
                 global int* rc) {
  local int packet;
  const int i = get_global_id(0);
  int taken = 0;
  if (i == 0) packet = 7;
  rc[i] = read_pipe(in, one);
  own[i] = 1 + i + (i == 0 ? write_pipe(out, own + 1) : 0);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 1) rc[i + 2] = write_pipe(out, &packet);
}
