// --check=bounds: pointers that lie neither in their object nor just behind it. The memory that is then accessed is in order.
//! check bounds
//! global 4
//! local 4
//! arg in = int:range:0:1:8
//! arg out = int:zero:12
//! expect out = 5 6 7 7 20 21 22 23 5 6 7 8
//! expect fault TSP-R0030 on in at 2 line 17
//! expect fault TSP-R0030 on test.tile at 0 line 21
//! expect fault TSP-R0030 on own at 0 line 24
kernel void test(global const int* in, global int* out) {
  const int i = get_global_id(0);
  local int tile[4];
  tile[i] = 20 + i;
  int own[4];
  for (int n = 0; n < 4; ++n) own[n] = 5 + n;
  const global int* behind = in + i + 7;
  out[i] = i == 3 ? 7 : *(behind - 2);
  barrier(CLK_LOCAL_MEM_FENCE);
  // An array that counts from one.
  const local int* from_one = tile - (i + 1);
  out[i + 4] = from_one[2 * i + 1];
  // Beyond the end, and back again.
  const int* far = own + 8;
  out[i + 8] = far[i - 8];
}
