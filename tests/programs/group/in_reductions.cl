// Instructions of groups and sub-groups in reductions whose optimiser makes two loops of one: all of a group come to them as often,
// on different ways.
//! options -cl-std=CL2.0
//! kernel totals
//! global 48
//! local 16
//! arg r = int:fill:1:48
//! expect r = fill:80
//! launch
//! kernel sub_sums
//! global 64
//! local 64
//! subgroup-size 32
//! arg r = int:range:1:1:64
//! expect r[0..2] = 528 2 7
//! expect r[32..34] = 1552 34 71
//! launch
//! kernel in_turn
//! global 128
//! local 64
//! subgroup-size 32
//! arg r = int:range:0:1:128
//! expect r[0..3] = 2048 2048 2048 2048
//! expect r[64..67] = 6144 6144 6144 6144
//! expect no faults
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void totals(global int* r) {
  local int t[32];
  t[get_local_id(0)] = r[get_global_id(0)];
  int total = work_group_reduce_add(t[get_local_id(0)]);
  for (uint s = 1; s < get_local_size(0); s *= 2) {
    if (get_local_id(0) % (2 * s) == 0)
      t[get_local_id(0)] = 1;
    total += work_group_reduce_add(t[get_local_id(0)]);
  }
  r[get_global_id(0)] = total;
}

kernel void sub_sums(global int* r) {
  local int t[128];
  size_t l = get_local_id(0);
  t[l] = r[l];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < get_sub_group_size(); s *= 2) {
    if (l % (2 * s) == 0) t[l] = t[l] + t[l + s];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  r[l] = t[l];
}

// Each work-item comes to the reduction once, in a round of its own.
kernel void in_turn(global int* r) {
  int sum = 0;
  for (uint i = 0; i < get_local_size(0) / 8; ++i)
    if (i == get_local_id(0) % 8)
      sum = work_group_reduce_add(r[get_global_id(0)]) + sub_group_reduce_add((int)1);
  r[get_global_id(0)] = sum;
}
