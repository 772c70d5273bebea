// Bits of a ballot count as far as a full sub-group reaches, also in the smaller one at the end of a group.
// Clusters of more than a sub-group may stand in a kernel that does not execute them.
//! options -cl-std=CL3.0
//! global 40
//! local 40
//! arg out = uint:zero:40
//! arg size = 4
//! expect out = uint:fill:3134
kernel void test(global uint* out, uint size) {
  uint4 bits = (uint4)(0x80000011, 5, 6, 7);
  uint sum = 0;
  if (size == 4)
    sum = sub_group_clustered_reduce_add(1u, 4);
  else
    sum = sub_group_clustered_reduce_add(1u, 64);
  out[get_global_id(0)] =
      sub_group_ballot_find_msb(bits) * 100 + sub_group_ballot_bit_count(bits) * 10 + sum;
}
