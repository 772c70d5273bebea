// read_pipe and write_pipe without reservations, and what pipes tell of themselves: a full pipe takes nothing, an empty one
// gives nothing, packets come out in the order in which they went in.
//! global 6
//! local 6
//! options -cl-std=CL2.0
//! arg in = pipe int4 8 int4:data:(1,2,3,4),(5,6,7,8),(9,10,11,12),(13,14,15,16)
//! arg out = pipe double 5 double:data:0.5
//! arg got = int4:zero:6
//! arg rc = int4:zero:6
//! expect in.packets = 0
//! expect got = (1,2,3,4) (5,6,7,8) (9,10,11,12) (13,14,15,16) (-1,-1,-1,-1) (-1,-1,-1,-1)
//! expect rc = (0,0,8,5) (0,0,8,5) (0,0,8,5) (0,0,8,5) (1,1,8,5) (1,1,8,5)
//! expect out = 0.5 100 101 102 103
//! expect no faults
kernel void test(read_only pipe int4 in, write_only pipe double out, global int4* got, global int4* rc) {
  const int i = get_global_id(0);
  int4 packet = (int4)(-1);
  const int taken = read_pipe(in, &packet);
  const double number = 100 + i;
  const int given = write_pipe(out, &number);
  got[i] = packet;
  rc[i] = (int4)(taken < 0, given < 0, get_pipe_max_packets(in), get_pipe_max_packets(out));
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_pipe_num_packets(in) != 0 || get_pipe_num_packets(out) != 5) rc[i].x = -5;
}
