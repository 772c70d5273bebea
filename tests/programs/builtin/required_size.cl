// A kernel that requires a work-group size gets it when the launch leaves the choice open.
//! global 48,4
//! arg out = uint:zero:192
//! expect out = uint:fill:1202:192
__attribute__((reqd_work_group_size(12, 2, 1))) kernel void test(global uint* out) {
  out[get_global_id(1) * 48 + get_global_id(0)] = get_local_size(0) * 100 + get_local_size(1) * get_local_size(2);
}
