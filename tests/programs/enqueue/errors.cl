// Why an enqueue failed is told where the program has line information. Nothing of it runs.
//! kernel test
//! global 1
//! options -cl-std=CL2.0 -g
//! arg rc = int:fill:7:10
//! arg ran = int:zero:1
//! expect rc = -160 -160 -160 -160 -57 -57 -57 -51 -57 0
//! expect ran = 0
//! expect no faults
kernel void test(global int* rc, global int* ran) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  const clk_event_t user = create_user_event();
  clk_event_t event;
  void (^const block)(void) = ^{ *ran = 1; };
  const size_t wide[] = {4, 4}, half_size[] = {2, 0}, large[] = {100, 100};
  const kernel_enqueue_flags_t now = CLK_ENQUEUE_FLAGS_NO_WAIT;
  rc[0] = enqueue_kernel(q, now, ndrange_1D(8, 100000), block);
  rc[1] = enqueue_kernel(q, now, ndrange_2D(wide, half_size), block);
  rc[2] = enqueue_kernel(q, now, ndrange_2D(large, large), block);
  rc[3] = enqueue_kernel(q, now, ndrange_1D(~(size_t)0, 2, 1), block);
  rc[4] = enqueue_kernel(q, now, one, 1, 0, &event, block);
  rc[5] = enqueue_kernel(q, now, one, 0, &user, &event, block);
  rc[6] = enqueue_marker(q, 2, 0, &event);
  rc[7] = enqueue_kernel(q, now, one, ^(local void* a, local void* b) { *ran = 1; }, 4u, 0u);
  rc[8] = enqueue_marker(q, 0, &user, &event);
  // Nothing is wrong with no work-items at all.
  rc[9] = enqueue_kernel(q, now, ndrange_1D(0), block);
}
