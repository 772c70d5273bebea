// Pointers to pointers, pointer differences and comparisons, walking a linked list of indices.
//! global 64  # vary: local
//! arg next = uint:data:3,5,1,7,0,6,2,4
//! arg values = int:range:10:10:8
//! arg out = int:zero:64
//! expect out[0..21] = 22 100242 100784 3924 9946 100126 488 1768 1850 107970 72 100412 101054 104734 13836 100176 100158 878 2500 111860 122 522
//! expect out[22..42] = 101504 105384 5566 100066 100248 1328 103310 114310 172 612 100614 2674 7536 100116 358 1598 104600 116280 62 100282 100824
//! expect out[43..63] = 3964 9986 100166 528 1808 1890 108010 112 100452 101094 104774 13876 100216 100198 918 2540 111900 162 562 101544 105424
kernel void test(global const uint* next, global const int* values, global int* out) {
  int n = get_global_id(0);
  global const int* at = values + n % 8;
  int r = 0;
  for (int i = 0; i < n % 5 + 1; i++) {
    r = r * 3 + *at;
    at = values + next[at - values];
  }
  int a = r, b = n;
  int* p = &a;
  int** pp = n & 1 ? &p : 0;
  if (pp) *pp = &b;
  *p += 1;
  out[n] = a * 2 + b + (at > values + 3 ? 100000 : 0);
}
