// All bytes of a copy count, however many they are.
//! check ub
//! global 1
//! buffer both = float:range:0:1:4096
//! arg a = buffer both
//! arg b = buffer both
//! arg c = buffer both
//! expect fault TSP-R0036 on both at 0 line 15
//! expect no faults
typedef struct { float4 of[512]; } block;
kernel void test(global block* restrict a, global block* b, global float* c) {
  b[1] = a[0];
  // In the last bytes of the copy's source, and behind them.
  c[4095] = 5;
  c[2047] = 6;
}
