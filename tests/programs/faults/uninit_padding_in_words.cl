// Words that are wider than what a struct has there copy the struct: its padding, what a union has behind its member, and
// members that were left out. What is computed, and what has a type of its own there, has to be defined.
//! options -cl-std=CL2.0
//! global 4
//! local 4
//! check uninit
//! arg out = bytes:zero:96
//! arg tagged = bytes:zero:32
//! arg wide = bytes:zero:256
//! arg numbers = ulong:zero:8
//! arg x = 1
//! expect fault TSP-R0101 on numbers at 0 line 46
//! expect fault TSP-R0101 on out at 0 line 48
//! expect fault TSP-R0101 on out at 0 line 50
//! expect fault TSP-R0101 on tagged at 0 line 52
typedef struct { char c; int i; short d; } Scalars;
typedef struct { short tag; union { char c; int i; } u; } Tagged;
typedef struct { float3 v; char c; } Wide;
kernel void test(global Scalars* out, global Tagged* tagged, global Wide* wide, global ulong* numbers, int x) {
  local Scalars s[4];
  local Tagged t[4];
  local Wide w[4];
  const size_t me = get_local_id(0), at = 3 - me;
  s[me].c = x, s[me].i = x, s[me].d = x;
  t[me].tag = x, t[me].u.c = x;
  w[me].v = x, w[me].c = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Word by word, at places that are known.
  *(global int*)&out[me] = *(local int*)&s[at];
  out[me].i = s[at].i;
  *(global int*)&out[me].d = *(local int*)&s[at].d;
  *(global ulong*)&tagged[me] = *(local ulong*)&t[at];
  ((global int4*)&wide[me])[0] = ((local int4*)&w[at])[0];
  ((global ulong2*)&wide[me])[1] = ((local ulong2*)&w[at])[1];
  // And at others.
  for (int k = 0; k < 3; ++k) ((global int*)&out[4 + me])[k] = ((local int*)&s[at])[k];
  // One of two, and members that change within a word.
  *(global int*)&out[me].d = x > 0 ? *(local int*)&s[at].d : *(local int*)&s[me].d;
  *(global uint*)&out[me].d = (*(local uint*)&s[at].d & 0xffff0000u) | 7u;
  *(global int*)&out[me].d = *(local int*)&s[at].d + 1;
  barrier(CLK_LOCAL_MEM_FENCE); if (me != 0) return;
  // An array of numbers has no padding, and what is a member alone is no copy of more.
  local int pair[2];
  Scalars some;
  pair[x] = x, some.c = x, some.d = x;
  numbers[0] = *(local ulong*)pair;
  s[0] = some;
  out[0].i = s[0].i;
  Scalars other;
  out[0].i = other.i + x;
  some.i = other.i;
  *(global ulong*)&tagged[0] = *(ulong*)&some.i * 3;
}
