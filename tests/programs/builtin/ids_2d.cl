// Ids of a two-dimensional launch with offsets, groups of 8 by 3.
//! kernel test
//! global 24,9
//! local 8,3
//! offset 100,1000
//! arg out = uint4:zero:216
//! arg groups = uint4:zero:216
//! expect out[0..3] = ?
//! expect out[24..27] = ?
//! expect out[80..87] = ?
//! expect out[212..215] = ?
//! expect groups[0..3] = ?
//! expect groups[30..33] = ?
//! expect groups[212..215] = ?
kernel void test(global uint4* out, global uint4* groups) {
  uint x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  uint at = y * get_global_size(0) + x;
  out[at] = (uint4)(get_global_id(0), get_global_id(1), get_local_id(0), get_local_id(1));
  groups[at] = (uint4)(get_group_id(0), get_group_id(1), get_num_groups(0) * 10 + get_num_groups(1),
                       get_local_size(0) * 10 + get_local_size(1));
}
