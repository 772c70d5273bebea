// Ids and sizes of a one-dimensional launch with an offset; dimensions that are not used give 0 or 1.
//! kernel test
//! global 60
//! local 20
//! offset 7
//! arg out = ulong:zero:840
//! expect out[0..13] = 7 0 0 60 20 3 7 1 0 0 0 0 1 1
//! expect out[14..27] = 8 1 0 60 20 3 7 1 0 0 0 0 1 1
//! expect out[280..293] = 27 0 1 60 20 3 7 1 0 0 0 0 1 1
//! expect out[826..839] = 66 19 2 60 20 3 7 1 0 0 0 0 1 1
kernel void test(global ulong* out) {
  global ulong* p = out + (get_global_id(0) - get_global_offset(0)) * 14;
  p[0] = get_global_id(0);
  p[1] = get_local_id(0);
  p[2] = get_group_id(0);
  p[3] = get_global_size(0);
  p[4] = get_local_size(0);
  p[5] = get_num_groups(0);
  p[6] = get_global_offset(0);
  p[7] = get_work_dim();
  p[8] = get_global_id(1);
  p[9] = get_local_id(2);
  p[10] = get_group_id(1);
  p[11] = get_global_offset(2);
  p[12] = get_global_size(2);
  p[13] = get_num_groups(1);
}
