// Three neighbours a work-item, the last of a buffer of 100 in the middle: what is inside is read and
// written, what is past the end is reported element by element, reads as zero and is not written.
//! global 36  # vary: local
//! arg in = int:range:1:7:100
//! arg out = int:fill:5:100
//! arg seen = long:zero:36
//! expect fault TSP-R0020 on in at 33
//! expect fault TSP-R0020 on in at 34 line 19
//! expect fault TSP-R0021 on out at 33
//! expect fault TSP-R0021 on out at 34 line 24
//! expect out[0..34] = 1 9 17 22 30 38 43 51 59 64 72 80 85 93 101 106 114 122 127 135 143 148 156 164 169 177 185 190 198 206 211 219 227 232 240
//! expect out[35..65] = 248 253 261 269 274 282 290 295 303 311 316 324 332 337 345 353 358 366 374 379 387 395 400 408 416 421 429 437 442 450 458
//! expect out[66..96] = 463 471 479 484 492 500 505 513 521 526 534 542 547 555 563 568 576 584 589 597 605 610 618 626 631 639 647 652 660 668 673
//! expect out[97..99] = 681 689 694
//! expect seen[0..32] = range:15008001:21021021
//! expect seen[33..35] = 694 0 0
kernel void test(global const int* in, global int* out, global long* seen) {
  size_t n = get_global_id(0);
  int a = in[3 * n];
  int b = in[3 * n + 1];
  int c = in[3 * n + 2];
  seen[n] = a + 1000l * b + 1000000l * c;
  out[3 * n + 2] = c + 2;
  out[3 * n] = a;
  out[3 * n + 1] = b + 1;
}
