// All work-items come to the barrier once, in different rounds of the loop: they wait there for each other, those of one batch as
// well as those of several.
//! global 512
//! local 256
//! check all
//! arg out = uint:zero:512
//! expect out[0..3] = 6 6 6 6
//! expect out[252..259] = 6 6 6 6 6 6 6 6
//! expect no faults
kernel void test(global uint* out) {
  local uint first[256];
  const uint l = get_local_id(0);
  uint sum = 0;
  for (uint i = 0; i < 4; ++i) {
    sum += i;
    if (i == l % 4) {
      first[l] = i;
      barrier(CLK_LOCAL_MEM_FENCE);
      // Of the work-item beside this one, which wrote it in another round.
      out[get_global_id(0)] = first[l ^ 1] == (l ^ 1) % 4;
    }
  }
  out[get_global_id(0)] *= sum;
}
