// The first sub-group of each work-group waits for a flag that another one sets, behind a barrier of both.
kernel void ready(global volatile uint* flag, global uint* out) {
  if (get_local_id(0) < 32)
    while (*flag == 0) {
    }
  barrier(CLK_GLOBAL_MEM_FENCE);
  *flag = 1;
  out[get_global_id(0)] = get_local_id(0);
}
