// Factors of mul24 and mad24 beyond 24 bits; the last operand of mad24 may be any integer.
//! global 6
//! check ub
//! arg a = int:data:8388607,-8388608,8388608,-8388609,16777215,5
//! arg b = int:data:1,1,1,1,2,-1
//! arg c = int:data:7,-9,2147483647,-2147483648,3,100
//! arg out = int:zero:24
//! expect fault TSP-R0066 at 2
//! expect fault TSP-R0066 at 1
//! expect out[0..16] = 8388607 -8388608 -8388608 8388607 -2 -5 8388614 -8388617 2139095039 -2139095041 1 95 8388607 8388608 8388608 8388607 33554430
//! expect out[17..23] = 83886075 8388606 8388607 8388607 8388606 33554429 83886074
kernel void test(global const int* a, global const int* b, global const int* c, global int* out) {
  int n = get_global_id(0);
  out[n] = mul24(a[n], b[n]);
  out[n + 6] = mad24(a[n], b[n], c[n]);
  out[n + 12] = mul24((uint)a[n], (uint)b[n]);
  out[n + 18] = mad24((uint)a[n], (uint)b[n], 0xffffffffu);
}
