// All work-items of several work-groups enqueue. What they enqueue runs in the order of the work-items, of each as it enqueued,
// and so does what is enqueued in turn: what it leaves does not depend on threads or on which work-items ran together.
//! global 300
//! local 50
//! options -cl-std=CL2.0
//! arg next = uint:zero:1
//! arg order = uint:zero:900
//! expect next = 900
//! expect order[0..3] = 0 1000 1 1001
//! expect order[598..599] = 299 1299
//! expect order[600..899] = range:2000:1:300
//! expect no faults
kernel void test(global uint* next, global uint* order) {
  const uint i = get_global_id(0);
  const ndrange_t one = ndrange_1D(1);
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ order[(*next)++] = i; });
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{
    order[(*next)++] = i + 1000;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ order[(*next)++] = i + 2000; });
  });
}
