// Chains and nests of if and else whose arms are taken by different lanes.
//! kernel test
//! global 300
//! arg out = uint:zero:300
//! # vary: local
//! expect out[0..20] = 200 2 1029 96 17 5 212 0 65 146 10 122 224 170 1 108 257 290 236 362 20
//! expect out[21..37] = 114 1509 530 248 25 1701 128 3 842 260 962 1025 126 1157 35 272 1370
//! expect out[38..54] = 1445 132 40 1682 284 1850 1937 110 3141 2210 296 6 50 144 2705 2810 308
//! expect out[55..59] = 55 7 150 3365 3482
//! expect out[240..254] = 680 58082 58565 424 59537 5 692 61010 61505 342 5 63002 704 64010 64517
//! expect out[255..270] = 348 65537 66050 716 32 5 406 68645 69170 728 5 33 360 71825 72362 740
//! expect out[271..285] = 73442 73985 366 75077 5 752 76730 77285 388 5 78962 764 80090 80657 378
//! expect out[286..299] = 81797 35 776 83522 5 384 85265 85850 788 5 87617 370 89829 89402
kernel void test(global uint* out) {
  uint n = get_global_id(0);
  uint r = n;
  if (n % 3 == 0) {
    r += 100;
    if (n % 2 == 0)
      r *= 2;
    else if (n % 9 == 0)
      r ^= 0xff;
    else
      r -= 7;
  } else if (n % 5 == 0) {
    if (n > 150) r = 5;
  } else if (n % 7 == 0) {
    r = n / 8;
  } else {
    r = r * r + 1;
    if (r & 4) r |= 1024;
  }
  out[n] = r;
}
