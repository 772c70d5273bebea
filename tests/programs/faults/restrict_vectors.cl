// What vload and vstore access is where their offset leads, and no more than the vector: halves of one buffer that do not meet
// are in order, and a store into what a vector was read from is not.
//! check ub
//! global 2
//! buffer floats = float:range:0:1:24
//! buffer halves = half:zero:8
//! arg a = buffer floats
//! arg b = buffer floats
//! arg h = buffer halves
//! arg g = buffer halves
//! expect floats = 0 1 2 3 4 5 6 7 8 9 10 11 1 13 14 15 0 2 4 6 8 10 12 14
//! expect halves = 0 0 0 0 1 1 1 5
//! expect fault TSP-R0036 on floats at 1 line 19
//! expect fault TSP-R0036 on halves at 1 line 23
//! expect no faults
kernel void test(global float* restrict a, global float* restrict b, global half* restrict h, global half* g) {
  const size_t i = get_global_id(0);
  vstore4(vload4(i, a) * 2.0f, i + 4, b);
  if (i == 1) b[12] = 1.0f + 0.0f * vload3(4, a).x;
  // The room of a fourth component is not accessed.
  if (i == 1) vstorea_half3((float3)(1.0f), 1, h);
  if (i == 1) vstore_half(5.0f, 7, g);
  if (i == 1) vstore_half(vload_half(6, g), 6, g);
}
