// --check=bounds: a pointer just behind an object is one that may be made, and gone back from. No finding.
//! check bounds
//! global 4
//! local 4
//! arg in = int:range:0:1:8
//! arg out = int:zero:12
//! expect out = 28 28 28 28 23 22 21 20 8 7 6 5
//! expect no faults
int sum(const global int* from, const global int* end) {
  int all = 0;
  for (; from != end; ++from) all += *from;
  return all;
}
kernel void test(global const int* in, global int* out) {
  const int i = get_global_id(0);
  local int tile[4];
  tile[i] = 20 + i;
  int own[4];
  for (int n = 0; n < 4; ++n) own[n] = 5 + n;
  out[i] = sum(in, in + 8);
  barrier(CLK_LOCAL_MEM_FENCE);
  const local int* last = tile + 4;
  out[i + 4] = last[-1 - i];
  const int* end = own + 4;
  out[i + 8] = *(end - i - 1);
}
