// printf's formats: every flag, width, precision, length and conversion, on scalars and vectors.
//! kernel scalars
//! global 1
//! launch
//! expect printf "[42][-42][   42][42   ][00042][+42][ 42][  +42][00042][   042]\n"
//! expect printf "[2a][0x2a][2A][0X2A][52][052][42][0x002a][  0x2a]\n"
//! expect printf "[-1][255][-1][65535][-128][44][9223372036854775807][18446744073709551615][ffffffffffffffff]\n"
//! expect printf "[3.500000][3.5][4][4.][+3.50][ 3.50][-0.000000][0003.50][3.50   ]\n"
//! expect printf "[3.500000e+00][3.5E+00][3.5][3.50000][1e+10][0.0001][1E-05]\n"
//! expect printf "[0x1.cp+1][0X1.CP+1][0x1.c00p+1][-inf][INF][nan][NAN]\n"
//! expect printf "[A][  A][A  ][word][  word][word  ][wo][100%]\n"
//! expect printf "[][0][]\n"
//! kernel vectors
//! global 1
//! launch
//! expect printf "[1,-2][1,-2,3][1,-2,3,-4][  1, -2,  3, -4][+1,-2,+3,-4]\n"
//! expect printf "[1,254,3,252,5,250,7,248][1,fffe,3,fffc][0x1,0xfffffffe]\n"
//! expect printf "[1,18446744073709551614][01,01777777777777777777776]\n"
//! expect printf "[1.00,-2.00,3.00,-4.00][1.5,-2.5][1.5,2.5,3.5,4.5,5.5,6.5,7.5,8.5]\n"
//! expect printf "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15][0x1p+0,0x1p+1][1e+00,2e+00,3e+00]\n"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void scalars(void) {
  int n = (int)get_global_id(0);
  int i = n + 42;
  printf("[%d][%i][%5d][%-5d][%05d][%+d][% d][%+5d][%.5d][%6.3d]\n", i, -i, i, i, i, i, i, i, i, i);
  printf("[%x][%#x][%X][%#X][%o][%#o][%u][%#.4x][%#6x]\n", i, i, i, i, i, i, i, i, i);
  printf("[%hhd][%hhu][%hd][%hu][%hhd][%hhd][%ld][%lu][%lx]\n", n + 255, n - 1, n + 65535, n - 1, n + 128, n + 300,
         (long)n + 0x7fffffffffffffffL, (ulong)n - 1, (long)n - 1);
  float f = n + 3.5f;
  printf("[%f][%.1f][%.0f][%#.0f][%+.2f][% .2f][%f][%07.2f][%-7.2f]\n", f, f, f, f, f, f, n * -1.0f * f, f, f);
  printf("[%e][%.1E][%g][%#g][%g][%g][%G]\n", f, f, f, f, f * 1e10f / 3.5f, (double)f / 35000, (double)f / 350000);
  printf("[%a][%A][%.3a][%f][%F][%f][%F]\n", f, (half)f, f, -INFINITY - n, INFINITY + n, fabs(NAN + n), fabs(NAN + n));
  printf("[%c][%3c][%-3c][%s][%6s][%-6s][%.2s][%d%%]\n", n + 'A', n + 'A', n + 'A', "word", "word", "word", "word", n + 100);
  printf("[%.0d][%.1d][%.d]\n", n, n, n);
}
kernel void vectors(void) {
  int n = (int)get_global_id(0);
  int4 i = (int4)(1, -2, 3, -4) + n;
  printf("[%v2hld][%v3hld][%v4hld][%3v4hld][%+v4hli]\n", i.xy, i.xyz, i, i, i);
  char8 c = (char8)(1, -2, 3, -4, 5, -6, 7, -8) + (char)n;
  printf("[%v8hhu][%v4hx][%#v2hlx]\n", c, convert_short4(i), i.xy);
  long2 l = convert_long2(i.xy);
  printf("[%v2lu][%#v2lo]\n", l, l);
  half2 h = (half2)(1.5h, -2.5h) + (half)n;
  float8 f = (float8)(1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f, 8.5f) + n;
  printf("[%2.2v4hlf][%v2hg][%v8hlg]\n", convert_float4(i), h, f);
  uchar16 all = (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + (uchar)n;
  double3 d = (double3)(1, 2, 3) + n;
  printf("[%v16hhu][%v2la][%.0v3le]\n", all, d.xy, d);
}
