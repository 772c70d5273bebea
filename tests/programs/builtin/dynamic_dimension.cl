// The dimension asked for differs by lane, or is out of range: 0 for ids, 1 for sizes.
//! global 12,5
//! local 4,5
//! arg ids = uint:zero:60
//! arg sizes = uint:zero:60
//! arg known = uint:zero:4
//! expect known = uint:data:1,1,0,0
//! expect ids[0..38] = 0 0 0 0 0 1105 0 0 0 0 2210 0 0 0 0 303 101 0 0 0 2008 101 0 0 0 101 202 0 0 0 1206 202 0 0 0 2311 303 0 0
//! expect ids[39..59] = 0 1004 303 0 0 0 2109 303 0 0 0 202 404 0 0 0 1307 404 0 0 0
//! expect sizes[0..20] = 3412 1505 1101 1101 1101 3412 1505 1101 1101 1101 3412 1505 1101 1101 1101 3412 1505 1101 1101 1101 3412
//! expect sizes[21..40] = 1505 1101 1101 1101 3412 1505 1101 1101 1101 3412 1505 1101 1101 1101 3412 1505 1101 1101 1101 3412
//! expect sizes[41..59] = 1505 1101 1101 1101 3412 1505 1101 1101 1101 3412 1505 1101 1101 1101 3412 1505 1101 1101 1101
kernel void test(global uint* ids, global uint* sizes, global uint* known) {
  uint at = get_global_id(1) * 12 + get_global_id(0);
  uint d = at % 5;
  ids[at] = get_global_id(d) + 100 * get_local_id(d) + 1000 * get_group_id(d);
  sizes[at] = get_global_size(d) + 100 * get_local_size(d) + 1000 * get_num_groups(d);
  if (at == 0) {
    known[0] = get_global_size(3);
    known[1] = get_local_size(7);
    known[2] = get_global_id(3);
    known[3] = get_group_id(4);
  }
}
