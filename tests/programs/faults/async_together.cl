// Asynchronous copies that nobody has waited for: one reads or writes what another one writes. Elements between each other's are nobody else's.
//! options -cl-std=CL1.2
//! global 64
//! local 64
//! check all
//! arg in = int:range:0:1:128
//! arg out = int:zero:64
//! arg strided = int:zero:128
//! expect fault TSP-R0042 at 0 line 18
//! expect fault TSP-R0042 at 0 line 20
//! expect out[0..3] = 64 65 66 67
//! expect strided[0..3] = 64 65 65 66
kernel void test(global const int* in, global int* out, global int* strided) {
  local int tile[64];
  local int two[2][64];
  event_t event = async_work_group_copy(tile, in, 64, 0);
  // Nobody waits for the one before.
  event = async_work_group_copy(tile, in + 64, 64, event);
  // Nor has it what it is to copy.
  event_t last = async_work_group_copy(out, (const local int*)tile, 64, 0);
  wait_group_events(1, &event);
  wait_group_events(1, &last);
  two[0][get_local_id(0)] = tile[get_local_id(0)];
  two[1][get_local_id(0)] = tile[get_local_id(0)] + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  event = async_work_group_strided_copy(strided, (const local int*)two[0], 64, 2, 0);
  event = async_work_group_strided_copy(strided + 1, (const local int*)two[1], 64, 2, event);
  wait_group_events(1, &event);
}
