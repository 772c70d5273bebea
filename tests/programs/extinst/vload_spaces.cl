// vload and vstore of all types and widths, from global, constant, local and private memory, at places that are aligned to the
// elements alone: the second vector of a row that begins at element 1. Three components lie side by side.
//! kernel test_char
//! global 1
//! arg in = char:range:0:1:33
//! arg same = char:range:0:1:33
//! arg out = char:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
//! kernel test_uchar
//! global 1
//! arg in = uchar:range:0:1:33
//! arg same = uchar:range:0:1:33
//! arg out = uchar:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
//! kernel test_short
//! global 1
//! arg in = short:range:0:1:33
//! arg same = short:range:0:1:33
//! arg out = short:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
//! kernel test_ushort
//! global 1
//! arg in = ushort:range:0:1:33
//! arg same = ushort:range:0:1:33
//! arg out = ushort:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
//! kernel test_int
//! global 1
//! arg in = int:range:0:1:33
//! arg same = int:range:0:1:33
//! arg out = int:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
//! kernel test_uint
//! global 1
//! arg in = uint:range:0:1:33
//! arg same = uint:range:0:1:33
//! arg out = uint:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
//! kernel test_long
//! global 1
//! arg in = long:range:0:1:33
//! arg same = long:range:0:1:33
//! arg out = long:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
//! kernel test_ulong
//! global 1
//! arg in = ulong:range:0:1:33
//! arg same = ulong:range:0:1:33
//! arg out = ulong:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
//! kernel test_half
//! global 1
//! arg in = half:range:0:1:33
//! arg same = half:range:0:1:33
//! arg out = half:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
//! kernel test_float
//! global 1
//! arg in = float:range:0:1:33
//! arg same = float:range:0:1:33
//! arg out = float:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
//! kernel test_double
//! global 1
//! arg in = double:range:0:1:33
//! arg same = double:range:0:1:33
//! arg out = double:zero:68
//! arg wrong = uint:zero:4
//! launch
//! expect wrong = fill:0
//! expect out = 0 0 0 3 4 0 0 0 4 5 6 0 0 0 0 5 6 7 8 0 0 0 0 0 0 0 0 9 10 11 12 13 14 15 16 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define COUNT(n, k, from)                 \
  vstore##n(vload##n(1, from + 1), 0, r); \
  for (int i = 0; i < n; ++i) wrong[k] += r[i] != (KIND)(1 + n + i);
#define WIDTH(n)                                                         \
  COUNT(n, 0, in) COUNT(n, 1, same) COUNT(n, 2, shared) COUNT(n, 3, own) \
  vstore##n(vload##n(1, in + 1), 1, out + at);                           \
  at += 2 * n;
#define BODY(type)                                         \
  local type shared[33];                                   \
  type own[33], r[16];                                     \
  for (int i = 0; i < 33; ++i) shared[i] = own[i] = in[i]; \
  int at = 1;                                              \
  WIDTH(2) WIDTH(3) WIDTH(4) WIDTH(8) WIDTH(16)
#define TEST(type) \
  kernel void test_##type(global const type* in, constant type* same, global type* out, global uint* wrong) { BODY(type) }
#define KIND char
TEST(char)
#undef KIND
#define KIND uchar
TEST(uchar)
#undef KIND
#define KIND short
TEST(short)
#undef KIND
#define KIND ushort
TEST(ushort)
#undef KIND
#define KIND int
TEST(int)
#undef KIND
#define KIND uint
TEST(uint)
#undef KIND
#define KIND long
TEST(long)
#undef KIND
#define KIND ulong
TEST(ulong)
#undef KIND
#define KIND half
TEST(half)
#undef KIND
#define KIND float
TEST(float)
#undef KIND
#define KIND double
TEST(double)
#undef KIND
