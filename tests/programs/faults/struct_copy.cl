// An access of a struct has a part for each member. What is wrong with several of them is found once, with all their bytes.
//! global 6
//! local 2
//! threads 1
//! max-errors 3
//! arg in = int:range:0:1:64
//! arg out = int:zero:64
//! expect out[32..63] = range:32:1:32
//! expect fault TSP-R0020 on in at 4 line 14
//! expect fault TSP-R0021 on out at 4 line 14
typedef struct { int of[16]; } Sixteen;
kernel void test(global const Sixteen* in, global Sixteen* out) {
  const Sixteen each = in[get_global_id(0)];
  out[get_global_id(0)] = each;
}
