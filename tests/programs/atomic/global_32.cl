// Every 32-bit atomic function on global memory; the sums and extremes do not depend on the order.
//! kernel test
//! global 300
//! arg sum = uint:zero:1
//! arg difference = uint:fill:1000000:1
//! arg up = uint:zero:1
//! arg down = uint:fill:500:1
//! arg low = int:fill:5:1
//! arg high = int:fill:-5:1
//! arg ulow = uint:fill:7000:1
//! arg uhigh = uint:fill:3:1
//! arg ands = uint:fill:0xffffffff:1
//! arg ors = uint:zero:1
//! arg xors = uint:zero:1
//! # vary: local
//! expect sum = uint:data:44850
//! expect difference = uint:data:955150
//! expect up = uint:data:300
//! expect down = uint:data:200
//! expect low = int:data:-149
//! expect high = int:data:150
//! expect ulow = uint:data:4
//! expect uhigh = uint:data:4294967295
//! expect ands = uint:data:0xfffffe00
//! expect ors = uint:data:0x1ff
//! expect xors[0] = 17052
kernel void test(global uint* sum, global uint* difference, global uint* up, global uint* down, global int* low,
                 global int* high, global uint* ulow, global uint* uhigh, global uint* ands, global uint* ors,
                 global uint* xors) {
  int n = get_global_id(0);
  atomic_add(sum, n);
  atomic_sub(difference, n);
  atomic_inc(up);
  atomic_dec(down);
  atomic_min(low, 150 - n);
  atomic_max(high, 150 - n);
  atomic_min(ulow, (uint)(n + 4));
  atomic_max(uhigh, (uint)(200 - n));
  atomic_and(ands, ~n);
  atomic_or(ors, n);
  atomic_xor(xors, n * n);
}
