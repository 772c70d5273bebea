// What is enqueued runs beside what others of its group did in the same segment between two barriers, also where the group waited in
// between and another one ran.
//! global 4
//! local 2
//! options -cl-std=CL2.0
//! check race
//! arg flag = int:zero:1
//! arg data = int:zero:2
//! arg out = int:zero:2
//! expect out = 5 7
//! expect fault TSP-R0100 on flag line 24
//! expect fault TSP-R0102 on data line 26
kernel void test(volatile global int* flag, global int* data, global int* out) {
  const int i = get_local_id(0);
  if (get_group_id(0) == 1) {
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 0) flag[0] = 1;
    return;
  }
  if (i == 1) data[1] = 7;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 1) data[0] = 5;
  if (i == 0) {
    while (flag[0] == 0) {}
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                   ^{ out[0] = data[0]; out[1] = data[1]; });
  }
}
