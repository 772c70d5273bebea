// Needs -cl-std=CL2.0.
kernel void twice(queue_t queue, global int* numbers, int deep) {
  numbers[get_global_id(0)] *= 2;
  if (deep == 0) return;
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{
    const size_t i = get_global_id(0);
    numbers[i] += 1;
    if (i != 2) return;
    clk_event_t event;
    if (enqueue_marker(get_default_queue(), 0, 0, &event) == CLK_SUCCESS) release_event(event);
  });
}

// As many kernels as fit, up to 20: how many, and what the next one gave.
void fill_one(queue_t queue, global int* found) {
  int rc = 0, taken = 0;
  for (; taken < 20; ++taken) {
    rc = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ found[0] += 0; });
    if (rc != 0) break;
  }
  found[0] = taken;
  found[1] = rc;
}

kernel void fill(queue_t first, queue_t second, global int* numbers) {
  fill_one(first, numbers);
  fill_one(second, numbers + 2);
  fill_one(get_default_queue(), numbers + 4);
}
