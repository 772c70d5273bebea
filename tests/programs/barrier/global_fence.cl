// Barriers with a global fence: work-items of a group exchange values through global memory.
//! global 260
//! local 130
//! arg data = uint:range:0:1:260
//! expect data[0..126] = range:54:27
//! expect data[127..129] = 2443 910 157
//! expect data[130..256] = range:3564:27
//! expect data[257..259] = 5953 4420 3667
kernel void test(global uint* data) {
  uint l = get_local_id(0), n = get_local_size(0);
  global uint* mine = data + get_group_id(0) * n;
  for (uint turn = 0; turn < 3; turn++) {
    uint next = mine[(l + 1) % n];
    barrier(CLK_GLOBAL_MEM_FENCE);
    mine[l] += next * 2;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  }
}
