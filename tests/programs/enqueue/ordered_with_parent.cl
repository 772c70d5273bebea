// What is ordered before a kernel that was enqueued: what the work-item did, with a barrier what its group did, with
// CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP all that the group does, and what an event says of such a kernel.
//! global 8
//! local 4
//! options -cl-std=CL2.0
//! check race
//! arg bytes = char:zero:16
//! arg out = int:zero:32
//! expect out[0..21] = 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 1 2 2 3 2
//! expect bytes[8..9] = 1 1
//! expect no faults
#define CHILD(flag) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_##flag, ndrange_1D(1),
kernel void test(global char* bytes, global int* out) {
  const int i = get_global_id(0), l = get_local_id(0);
  const queue_t q = get_default_queue();
  out[i] = 1;
  bytes[i] = 1;
  if (i == 0) CHILD(NO_WAIT) ^{ bytes[8] = bytes[0]; });
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (i == 1) {
    clk_event_t group, third;
    CHILD(NO_WAIT) ^{ bytes[9] = bytes[2]; out[16] = out[0] + out[3]; });
    CHILD(NO_WAIT) ^{ out[17] = out[2]; });
    CHILD(WAIT_WORK_GROUP) 0, NULL, &group, ^{ out[18] = out[9]; });
    CHILD(NO_WAIT) 1, &group, &third, ^{
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[19] = out[10]; });
    });
    CHILD(NO_WAIT) 1, &third, NULL, ^{ out[20] = out[19] + 1; });
    CHILD(WAIT_KERNEL) ^{ out[21] = out[15]; });
    release_event(group);
    release_event(third);
  }
  out[i + 8] = 2;
}
