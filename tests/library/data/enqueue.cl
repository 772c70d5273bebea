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
