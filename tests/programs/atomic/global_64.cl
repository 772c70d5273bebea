// The 64-bit atomic functions on global memory.
//! kernel test
//! global 300
//! arg sum = ulong:fill:0xfffffff0:1
//! arg difference = ulong:zero:1
//! arg up = ulong:fill:0xffffffff:1
//! arg down = long:zero:1
//! arg low = long:fill:5:1
//! arg high = long:fill:-5:1
//! arg ulow = ulong:fill:0xffffffffffffffff:1
//! arg uhigh = ulong:zero:1
//! arg ands = ulong:fill:0xffffffffffffffff:1
//! arg ors = ulong:zero:1
//! arg xors = ulong:zero:1
//! # vary: local
//! expect sum[0] = 48161615773680
//! expect difference[0] = 18446744073709506766
//! expect up[0] = 4294967595
//! expect down[0] = -300
//! expect low[0] = -1279900254208
//! expect high[0] = 1288490188800
//! expect ulow[0] = 4398046511104
//! expect uhigh[0] = 18446744073709551615
//! expect ands[0] = 18446726515883245567
//! expect ors[0] = 17557826306048
//! expect xors[0] = 17880317952
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void test(global ulong* sum, global ulong* difference, global ulong* up, global long* down, global long* low,
                 global long* high, global ulong* ulow, global ulong* uhigh, global ulong* ands, global ulong* ors,
                 global ulong* xors) {
  long n = get_global_id(0);
  atom_add(sum, n << 30);
  atom_sub(difference, n);
  atom_inc(up);
  atom_dec(down);
  atom_min(low, (150 - n) << 33);
  atom_max(high, (150 - n) << 33);
  atom_min(ulow, (ulong)(n + 4) << 40);
  atom_max(uhigh, (ulong)(200 - n));
  atom_and(ands, ~(n << 35));
  atom_or(ors, n << 35);
  atom_xor(xors, n * n << 20);
}
