// Ids of a three-dimensional launch; groups of 5 x 3 x 2 work-items fill no batch.
//! global 10,6,4
//! local 5,3,2
//! arg out = uint:zero:240
//! arg locals = uint:zero:240
//! expect out = uint:range:0:1:240
//! expect locals[0..19] = 0 1 2 3 4 1000 1001 1002 1003 1004 10 11 12 13 14 1010 1011 1012 1013 1014
//! expect locals[30..39] = 10000 10001 10002 10003 10004 11000 11001 11002 11003 11004
//! expect locals[60..69] = 100 101 102 103 104 1100 1101 1102 1103 1104
//! expect locals[230..239] = 110120 110121 110122 110123 110124 111120 111121 111122 111123 111124
kernel void test(global uint* out, global uint* locals) {
  uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  uint at = (z * get_global_size(1) + y) * get_global_size(0) + x;
  out[at] = at;
  locals[at] = get_local_id(0) + 10 * get_local_id(1) + 100 * get_local_id(2) + 1000 * get_group_id(0) +
               10000 * get_group_id(1) + 100000 * get_group_id(2);
}
