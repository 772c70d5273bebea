// Conversions between all types, of every width: numbers that every type has stay what they are. wrong[t] counts the components
// converted to type t that do not.
//! kernel from_char
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
//! kernel from_uchar
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
//! kernel from_short
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
//! kernel from_ushort
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
//! kernel from_int
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
//! kernel from_uint
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
//! kernel from_long
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
//! kernel from_ulong
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
//! kernel from_half
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
//! kernel from_float
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
//! kernel from_double
//! global 1
//! arg chars = char:range:0:8:16
//! arg uchars = uchar:range:0:8:16
//! arg shorts = short:range:0:8:16
//! arg ushorts = ushort:range:0:8:16
//! arg ints = int:range:0:8:16
//! arg uints = uint:range:0:8:16
//! arg longs = long:range:0:8:16
//! arg ulongs = ulong:range:0:8:16
//! arg halfs = half:range:0:8:16
//! arg floats = float:range:0:8:16
//! arg doubles = double:range:0:8:16
//! arg wrong = uint:zero:11
//! launch
//! expect wrong = fill:0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define WIDTH(from, to, n)                                \
  vstore##n(convert_##to##n(vload##n(0, from##s)), 0, r); \
  for (int i = 0; i < n; ++i) wrong[at] += r[i] != to##s[i];
#define TO(from, to)                                                                                \
  {                                                                                                 \
    to r[16];                                                                                       \
    for (int i = 0; i < 16; ++i) wrong[at] += convert_##to(from##s[i]) != to##s[i];                 \
    WIDTH(from, to, 2) WIDTH(from, to, 3) WIDTH(from, to, 4) WIDTH(from, to, 8) WIDTH(from, to, 16) \
    ++at;                                                                                           \
  }
#define FROM(from)                                                                                          \
  kernel void from_##from(global const char* chars, global const uchar* uchars, global const short* shorts, \
                          global const ushort* ushorts, global const int* ints, global const uint* uints,   \
                          global const long* longs, global const ulong* ulongs, global const half* halfs,   \
                          global const float* floats, global const double* doubles, global uint* wrong) {   \
    int at = 0;                                                                                             \
    TO(from, char) TO(from, uchar) TO(from, short) TO(from, ushort) TO(from, int) TO(from, uint)            \
    TO(from, long) TO(from, ulong) TO(from, half) TO(from, float) TO(from, double)                          \
  }
FROM(char)
FROM(uchar)
FROM(short)
FROM(ushort)
FROM(int)
FROM(uint)
FROM(long)
FROM(ulong)
FROM(half)
FROM(float)
FROM(double)
