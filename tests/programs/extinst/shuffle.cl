// shuffle and shuffle2 with masks that differ by lane; only the low bits of a mask count.
//! global 40
//! arg small = uint4:zero:40
//! arg wide = float8:zero:40
//! arg chars = uchar16:zero:40
//! arg two = short2:zero:40
//! # vary: local
//! expect small[0..2] = (0,1300,0,1100) (101,1201,301,1101) (202,1102,1202,1102)
//! expect small[3..5] = (303,1003,103,1103) (1004,304,1004,1104) (1105,205,1305,1105)
//! expect small[6..7] = (1206,106,206,1106) (1307,7,1107,1107)
//! expect small[36..38] = (1036,336,1036,1136) (1137,237,1337,1137) (1238,138,238,1138)
//! expect small[39] = (1339,39,1139,1139)
//! expect wide[0] = (0,50,100,150,500,550,0,650)
//! expect wide[1] = (50.5,50.5,100.5,150.5,550.5,550.5,600.5,650.5)
//! expect wide[2] = (101,51,101,151,601,551,501,651)
//! expect wide[3] = (151.5,51.5,101.5,151.5,651.5,551.5,101.5,651.5)
//! expect wide[38] = (619,69,119,169,119,569,519,669)
//! expect wide[39] = (669.5,69.5,119.5,169.5,169.5,569.5,119.5,669.5)
//! expect chars[0] = (150,100,50,0,0,50,100,150,0,0,50,50,100,100,150,100)
//! expect chars[1] = (151,101,51,1,51,101,151,1,1,1,51,51,101,101,151,101)
//! expect chars[39] = (189,139,89,39,189,39,89,139,39,39,89,89,139,139,189,139)
//! expect two[0..8] = (0,0) (50,0) (101,1) (151,1) (502,52) (552,52) (603,53) (653,53) (4,104)
//! expect two[9..15] = (54,104) (105,105) (155,105) (506,156) (556,156) (607,157) (657,157)
//! expect two[16..22] = (8,508) (58,508) (109,509) (159,509) (510,560) (560,560) (611,561)
//! expect two[23..29] = (661,561) (12,612) (62,612) (113,613) (163,613) (514,664) (564,664)
//! expect two[30..37] = (615,665) (665,665) (16,16) (66,16) (117,17) (167,17) (518,68) (568,68)
//! expect two[38..39] = (619,69) (669,69)
kernel void test(global uint4* small, global float8* wide, global uchar16* chars, global short2* two) {
  uint n = get_global_id(0);
  uint4 a = (uint4)(n, n + 100, n + 200, n + 300), b = a + 1000;
  small[n] = shuffle2(a, b, (uint4)(n, 7 - n % 8, n * 3, 77));
  float8 f = convert_float8((uint8)(a, b)) * 0.5f;
  uint8 m = (uint8)(n, 1, 2, 3, n + 4, 13, 6 * n, 7);
  wide[n] = shuffle(f, m);
  uchar4 c = (uchar4)(n, n + 50, n + 100, n + 150);
  uchar16 mask = (uchar16)(3, 2, 1, 0, n, n + 1, n + 2, n + 3, 0, 0, 1, 1, 2, 2, 255, 254);
  chars[n] = shuffle(c, mask);
  short8 s = convert_short8(f);
  two[n] = shuffle(s, (ushort2)(n, n >> 2));
}
