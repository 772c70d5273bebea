// Broadcasts from a place of two and of three dimensions.
//! options -cl-std=CL2.0
//! global 12,8,4
//! local 6,4,2
//! arg wrong = uint:zero:384
//! expect wrong = uint:fill:0
kernel void test(global uint* wrong) {
  size_t i = get_global_linear_id();
  uint v = get_local_id(0) + 10 * get_local_id(1) + 100 * get_local_id(2) + 1000 * get_group_id(0) + 10000 * get_group_id(1);
  uint base = 1000 * get_group_id(0) + 10000 * get_group_id(1);
  wrong[i] = (work_group_broadcast(v, 5, 2, 1) != base + 125) + (work_group_broadcast(v, 0, 3, 0) != base + 30);
}
