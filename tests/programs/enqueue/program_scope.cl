// Variables at program scope, which an enqueued kernel shares with its parent, also those that the parent does not use; and text, which
// comes in the order in which kernels run.
//! global 3
//! local 1
//! options -cl-std=CL2.0
//! arg out = int:zero:4
//! expect out = 6 42 7 0
//! expect printf "parent 0\nparent 1\nparent 2\nchild 0: 10\nchild 1: 20\nchild 2: 30\nlast\n"
//! expect no faults
global int total = 0;
global int untouched = 42;
global int* where = 0;
constant int kStep[] = {10, 20, 30};

kernel void test(global int* out) {
  const int i = get_global_id(0);
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  printf("parent %d\n", i);
  atomic_add(&total, i + 1);
  if (i == 0) where = out;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, one, ^{
    printf("child %d: %d\n", i, kStep[i]);
    where[0] = total;
    out[1] = untouched;
  });
  if (i == 2)
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, one, ^{
      printf("last\n");
      total = 0;
      where[2] = 7;
      where = 0;
    });
}
