// Queries about what may be enqueued: the largest work-group runs, and sizes are multiples of the preferred one.
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:8
//! expect out = 1 1 1 1 1 0 0 0
//! arg count = int:zero:2
//! expect no faults
kernel void test(global int* out, global int* count) {
  const queue_t q = get_default_queue();
  void (^const plain)(void) = ^{ atomic_inc(count); };
  void (^const with_local)(local void*) = ^(local void* memory) {
    local int* const sum = memory;
    if (get_local_id(0) == 0) *sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) count[1] = *sum;
  };
  const uint most = get_kernel_work_group_size(plain);
  const uint most_with_local = get_kernel_work_group_size(with_local);
  const uint multiple = get_kernel_preferred_work_group_size_multiple(plain);
  out[0] = most >= 1 && most_with_local >= 1;
  out[1] = multiple >= 1 && most % multiple == 0;
  out[2] = get_kernel_preferred_work_group_size_multiple(with_local) >= 1;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(most, most), plain);
  clk_event_t done;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(most_with_local, most_with_local), 0, 0, &done, with_local, 4u);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &done, 0, ^{
    out[3] = count[0] == most;
    out[4] = count[1] == most_with_local;
    count[0] = count[1] = 0;  // results are compared: sizes depend on the device
  });
}
