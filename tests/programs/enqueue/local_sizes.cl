// Local memory of an enqueued kernel: none, one piece, several, with sizes that the program computes.
//! kernel test
//! global 1
//! options -cl-std=CL2.0
//! arg out = int:zero:96
//! arg n = 32
//! arg rc = int:fill:7:3
//! expect out[0..31] = fill:1
//! expect out[32..63] = range:31:-1:32
//! expect out[64..95] = range:0:101:32
//! expect rc = 0 0 0
//! expect no faults
kernel void test(global int* out, uint n, global int* rc) {
  const queue_t q = get_default_queue();
  const ndrange_t range = ndrange_1D(n, n);
  rc[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, ^{ out[get_local_id(0)] = 1; });
  rc[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range,
                         ^(local void* memory) {
                           local int* const ids = memory;
                           const int i = get_local_id(0);
                           ids[i] = i;
                           barrier(CLK_LOCAL_MEM_FENCE);
                           out[32 + i] = ids[n - 1 - i];
                         },
                         n * (uint)sizeof(int));
  clk_event_t done;
  rc[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, range, 0, 0, &done,
                         ^(local void* a, local void* b, local void* c) {
                           local long* const longs = a;
                           local char* const bytes = b;
                           local int* const sum = c;
                           const int i = get_local_id(0);
                           longs[i] = i * 100;
                           bytes[i] = i;
                           if (i == 0) *sum = 0;
                           barrier(CLK_LOCAL_MEM_FENCE);
                           atomic_add(sum, bytes[i]);
                           barrier(CLK_LOCAL_MEM_FENCE);
                           out[64 + i] = (int)longs[i] + bytes[i] + (*sum == 496 ? 0 : 1);
                         },
                         n * (uint)sizeof(long), n, (uint)sizeof(int));
  release_event(done);
}
