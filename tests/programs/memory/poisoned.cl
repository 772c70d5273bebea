// Memory that nothing has written holds bytes 0xa5: local memory of the kernel and of an argument, private arrays, and variables that
// become registers, each number by its size. What is written is not touched.
//! options -O0
//! poison on
//! kernel local_memory
//! global 8
//! local 4
//! arg out = uint:zero:16
//! arg part = local:16
//! launch
//! expect out = 0xa5a5a5a5 1 0xa5a5a5a5 3 0xa5a5a5a5 1 0xa5a5a5a5 3 0xa5a5a5a5 0xa5a5a5a5 2 2 0xa5a5a5a5 0xa5a5a5a5 2 2
//!
//! kernel private_memory
//! global 2
//! local 1
//! arg out = ulong:zero:10
//! arg n = 1
//! launch
//! expect out = 0xa5a5a5a5 7 0xa5 0xa5a5 0xa5a5a5a5a5a5a5a5 0xa5a5a5a5 7 0xa5 0xa5a5 0xa5a5a5a5a5a5a5a5
kernel void local_memory(global uint* out, local uint* part) {
  local uint own[4];
  const uint l = get_local_id(0), i = get_global_id(0);
  if (l % 2 == 1) own[l] = l;
  if (l > 1) part[l] = 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = own[l];
  out[8 + i] = part[l];
}

struct mixed {
  uchar byte;
  ushort two;
  ulong eight;
};

kernel void private_memory(global ulong* out, int n) {
  uint several[8];
  struct mixed both;
  several[n] = 7;
  out += get_global_id(0) * 5;
  out[0] = several[n + 1];
  out[1] = several[n];
  out[2] = both.byte;
  out[3] = both.two;
  out[4] = both.eight;
}
