// A queue that is kept in memory has the handle that its statement says, and is still the same queue when it is read again.
//! global 1
//! options -cl-std=CL2.0
//! queue given 100 handle 9
//! queue other handle 1
//! arg given = queue given
//! arg out = int:zero:3
//! arg kept = ulong:zero:2:raw
//! expect kept = 9 2
//! expect out = 0 -161 5
//! expect no faults
kernel void test(queue_t given, global int* out, global queue_t* kept) {
  const ndrange_t one = ndrange_1D(1);
  kept[0] = given;
  kept[1] = get_default_queue();
  out[0] = enqueue_kernel(given, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[2] = 5; });
  out[1] = enqueue_kernel(kept[0], CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[2] = 6; });
}
