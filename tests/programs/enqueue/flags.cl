// Whatever its flag says, an enqueued kernel sees all that its parent did; those without a wait list run in the order in which they were enqueued.
//! global 37
//! local 37
//! options -cl-std=CL2.0
//! arg out = int:zero:37
//! arg order = int:zero:4
//! arg rc = int:fill:7:3
//! expect out = range:1000:1:37
//! expect order = 3 10 20 30
//! expect rc = 0 0 0
//! expect no faults
kernel void test(global int* out, global int* order, global int* rc) {
  const int i = get_global_id(0);
  out[i] = i;
  if (i == 5) {
    const queue_t q = get_default_queue();
    const ndrange_t all = ndrange_1D(37);
    rc[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, all, ^{
      const int k = get_global_id(0);
      out[k] += 100;
      if (k == 0) order[++order[0]] = 10;
    });
    rc[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, all, ^{
      const int k = get_global_id(0);
      out[k] += 300;
      if (k == 0) order[++order[0]] = 20;
    });
    rc[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, all, ^{
      const int k = get_global_id(0);
      out[k] += 600;
      if (k == 0) order[++order[0]] = 30;
    });
  }
}
