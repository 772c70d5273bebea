// The dimension asked for differs by lane, or is out of range: 0 for ids, 1 for sizes.
//! kernel test
//! global 12,5
//! local 4,5
//! arg ids = uint:zero:60
//! arg sizes = uint:zero:60
//! expect ids = ?
//! expect sizes = ?
kernel void test(global uint* ids, global uint* sizes) {
  uint at = get_global_id(1) * 12 + get_global_id(0);
  uint d = at % 5;
  ids[at] = get_global_id(d) + 100 * get_local_id(d) + 1000 * get_group_id(d);
  sizes[at] = get_global_size(d) + 100 * get_local_size(d) + 1000 * get_num_groups(d);
}
