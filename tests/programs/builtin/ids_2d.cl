// Ids of a two-dimensional launch with offsets, groups of 8 by 3.
//! global 24,9
//! local 8,3
//! offset 100,1000
//! arg out = uint4:zero:216
//! arg groups = uint4:zero:216
//! expect out[0..3] = (100,1000,0,0) (101,1000,1,0) (102,1000,2,0) (103,1000,3,0)
//! expect out[24..27] = (100,1001,0,1) (101,1001,1,1) (102,1001,2,1) (103,1001,3,1)
//! expect out[80..87] = (108,1003,0,0) (109,1003,1,0) (110,1003,2,0) (111,1003,3,0) (112,1003,4,0) (113,1003,5,0) (114,1003,6,0) (115,1003,7,0)
//! expect out[212..215] = (120,1008,4,2) (121,1008,5,2) (122,1008,6,2) (123,1008,7,2)
//! expect groups[0..3] = (0,0,33,83) (0,0,33,83) (0,0,33,83) (0,0,33,83)
//! expect groups[30..33] = (0,0,33,83) (0,0,33,83) (1,0,33,83) (1,0,33,83)
//! expect groups[212..215] = (2,2,33,83) (2,2,33,83) (2,2,33,83) (2,2,33,83)
kernel void test(global uint4* out, global uint4* groups) {
  uint x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
  uint at = y * get_global_size(0) + x;
  out[at] = (uint4)(get_global_id(0), get_global_id(1), get_local_id(0), get_local_id(1));
  groups[at] = (uint4)(get_group_id(0), get_group_id(1), get_num_groups(0) * 10 + get_num_groups(1),
                       get_local_size(0) * 10 + get_local_size(1));
}
