// Three neighbours at an index that jumps, and four at an address that is the same for all, some past the end: each element is checked by itself.
//! global 70
//! arg in = int:range:1:7:100
//! arg seen = long:zero:70
//! arg same = int:zero:70
//! arg at = ulong:98
//! expect fault TSP-R0020 on in at 0
//! expect fault TSP-R0020 on in at 18
//! expect seen[0..12] = 120113106 393386379 666659652 99092085 372365358 645638631 78071064 351344337 624617610 57050043 330323316 603596589 36029022
//! expect seen[13..27] = 309302295 582575568 15008001 288281274 561554547 0 267260253 540533526 0 246239232 519512505 0 225218211 498491484 0
//! expect seen[28..41] = 204197190 477470463 0 183176169 456449442 0 162155148 435428421 694 141134127 414407400 687680673 120113106 393386379
//! expect seen[42..53] = 666659652 99092085 372365358 645638631 78071064 351344337 624617610 57050043 330323316 603596589 36029022 309302295
//! expect seen[54..68] = 582575568 15008001 288281274 561554547 0 267260253 540533526 0 246239232 519512505 0 225218211 498491484 0 204197190
//! expect seen[69] = 477470463
//! expect same = fill:1381
kernel void test(global const int* in, global long* seen, global int* same, ulong at) {
  size_t n = get_global_id(0);
  size_t i = (n * 13 + 5) % 40;
  int a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  seen[n] = a + 1000l * b + 1000000l * c;
  same[n] = in[at] + in[at + 1] + in[at + 2] + in[at + 3];
}
