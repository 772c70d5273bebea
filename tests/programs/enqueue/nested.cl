// Blocks that enqueue blocks, functions that enqueue a block which calls them again, blocks that a variable holds, and
// one that is enqueued and called.
//! kernel test
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:20
//! expect out[0..3] = 1 2 3 0
//! expect out[4..9] = 55 5 4 3 2 1
//! expect out[10..14] = 2 8 16 6 6
//! expect out[15..19] = 3 1 5 2 5
//! expect no faults
void count_down(global int* out, int n) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
    out[0] += 10 + (n == 5) * 5;
    out[6 - n] = n;
    if (n > 1) count_down(out, n - 1);
  });
}

#define RUN(block) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), block)

kernel void test(global int* out) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
    out[0] = 1;
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
      out[1] = 2;
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[2] = out[0] + out[1]; });
    });
  });
  count_down(out + 4, 5);
  int (^const square)(int) = ^(int x) { return x * x; };
  void (^const add)(void) = ^{ atomic_add(out + 10, 1); };
  RUN(add);
  const int four = square(2);
  RUN(^{ atomic_add(out + 11, four); });
  void (^const both)(void) = ^{ atomic_add(out + 12, four + four); };
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, both);
  both();
  for (int i = 0; i < 3; ++i) {
    const int two = 2;
    RUN(^{ atomic_add(out + 13, i); });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[14] += two; });
  }
  // In the order in which they were enqueued, each before what it enqueues itself.
  global int* const order = out + 15;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
    order[1] = ++order[0];
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
      order[2] = 2 + ++order[0];
      order[4] = 5;
    });
  });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ order[3] = ++order[0]; });
}
