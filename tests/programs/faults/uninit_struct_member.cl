// A struct is copied with a member that nothing wrote, twice: by value and into local memory. Only looking at the member counts.
//! global 8
//! local 8
//! check uninit
//! arg in = uint:range:0:1:8
//! arg out = uint:zero:8
//! expect fault TSP-R0101 at 0 line 22
struct record {
  uint kind;
  uint numbers[6];
};
kernel void test(global const uint* in, global uint* out) {
  local struct record shared[8];
  const uint i = get_local_id(0);
  struct record made;
  made.kind = i;
  made.numbers[in[i] & 3] = 2;
  const struct record copy = made;
  shared[i] = copy;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint at = 4 + (in[i] & 1);
  if (shared[7 - i].numbers[at] == 2)
    out[i] = 1;
}
