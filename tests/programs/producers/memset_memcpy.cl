// The compiler turns these loops and assignments into memset and memcpy of private, local and global memory.
//! global 64
//! local 64
//! arg in = int:range:0:1:1024
//! arg out = int:fill:7:1024
//! expect out[0..31] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 992 993 994 995 996 997 998 999 -1 -1 -1 -1 1004 1005 1006 1007
//! expect out[992..1023] = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 62 0 0 1 2 3 4 5 6 7 -1 -1 -1 -1 12 13 14 15
typedef struct { int v[16]; } block;
kernel void test(global const block* in, global block* out) {
  local block shared[64];
  int n = get_global_id(0);
  block a;
  for (int i = 0; i < 16; i++) a.v[i] = 0;
  a.v[n % 16] = n;
  block b = in[n];
  shared[n] = b;
  barrier(CLK_LOCAL_MEM_FENCE);
  block c = shared[63 - n];
  c.v[3] += a.v[5] + a.v[3];
  for (int i = 8; i < 12; i++) c.v[i] = -1;
  out[n] = n & 1 ? c : a;
}
