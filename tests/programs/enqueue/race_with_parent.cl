// What is enqueued without a wait runs beside the rest of its own work-group: what the work-item does behind the enqueue, and what others of the
// group did that no barrier for global memory orders before it. Atomics of the parent alone order nothing that comes behind.
//! global 4
//! local 4
//! options -cl-std=CL2.0
//! check race
//! arg bytes = char:zero:8
//! arg out = int:zero:24
//! expect out[16..18] = 2 3 4
//! expect bytes[4] = 1
//! expect fault TSP-R0102 on out line 25
//! expect fault TSP-R0102 on out line 26
//! expect fault TSP-R0102 on out line 27
//! expect fault TSP-R0102 on bytes line 28
#define CHILD enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
kernel void test(global char* bytes, global int* out) {
  const int i = get_global_id(0);
  out[i] = 1;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[i + 4] = 2;
  bytes[i] = 1;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 2) {
    CHILD ^{ out[15] = out[1] + out[6]; });
    CHILD ^{ out[16] = out[5]; });
    CHILD ^{ out[17] = out[10]; });
    CHILD ^{ out[18] = out[14]; });
    CHILD ^{ bytes[4] = bytes[2]; bytes[5] = bytes[3]; });
  }
  out[i + 8] = 3;
  if (i == 2) out[14] = 4;
}
