// Minimum and maximum of a work-group pass NaNs by; a sum of negative zeros stays one; scans begin with the identity.
//! options -cl-std=CL2.0
//! global 600
//! local 200
//! arg bad = uint:zero:600
//! arg whole = uint:zero:4
//! expect bad = uint:zero:600
//! expect whole = uint:hex:0x3f800000,0x43480000,0x80000000,0
kernel void test(global uint* bad, global uint* whole) {
  uint l = get_local_id(0), g = get_global_id(0);
  float x = l % 3 == 0 ? NAN : (float)l;  // of 200: 1, 2, 4, 5, ... 199
  float low = work_group_reduce_min(x), high = work_group_reduce_max(x);
  float sum = work_group_reduce_add(-0.0f);
  float lowest = work_group_scan_exclusive_min(x), highest = work_group_scan_exclusive_max(x);
  float before = work_group_scan_exclusive_add(1.0f);
  // Before work-item 1 there is only a NaN; then the last one that is no NaN is the highest.
  uint wrong = before != (float)l;
  if (l == 0) wrong |= (lowest != INFINITY) | (highest != -INFINITY);
  if (l == 1) wrong |= !isnan(lowest) | !isnan(highest);
  if (l >= 2) wrong |= (lowest != 1.0f) | (highest != (float)((l - 1) % 3 == 0 ? l - 2 : l - 1));
  bad[g] = wrong;
  if (g == 0) {
    whole[0] = as_uint(low);
    whole[1] = as_uint(high + 1.0f);
    whole[2] = as_uint(sum);
  }
}
