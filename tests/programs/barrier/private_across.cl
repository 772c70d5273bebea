// Private arrays and values of lanes that diverged before keep their contents across barriers.
//! global 150
//! local 75
//! arg out = uint:zero:150
//! expect out[0..30] = 255 90 92 320 74 324 261 126 334 302 130 600 279 162 588 284 218 876 309 198 754 266 318 1152 351 234 1002 248 430 1428 255
//! expect out[31..60] = 270 1262 230 554 1704 291 306 157 248 409 495 429 423 225 338 851 555 597 783 55 428 1305 615 777 1143 117 518 1771 675 669
//! expect out[61..88] = 1503 191 608 2249 735 843 1863 277 698 2389 795 1029 2223 375 788 2861 855 1227 2583 85 878 3345 915 1437 2943 177 1480 3841
//! expect out[89..114] = 975 1209 3303 281 1570 4349 1035 1413 3663 397 1660 4369 1095 1629 4023 525 1750 4871 1155 1857 4383 115 1840 5385 2592 711
//! expect out[115..141] = 324 1722 490 1330 2868 255 360 2072 472 1544 3144 381 396 2434 454 1120 3420 519 432 2808 436 1328 3696 669 468 2494 418
//! expect out[142..149] = 1548 3972 831 504 2862 400 1780 4248
kernel void test(global uint* out) {
  local uint shared[75];
  uint n = get_global_id(0), l = get_local_id(0);
  uint a[5];
  for (uint i = 0; i < 5; i++) a[i] = n * i;
  uint x = 0;
  for (uint i = 0; i < n % 6; i++) x += a[i % 5] + 1;
  if (n & 1) a[n % 5] = 77;
  shared[l] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint y = shared[(l * 2) % 75];
  if (n % 3 == 0) x ^= 0xff;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[n] = x + y * 3 + a[l % 5];
}
