// select and bitselect of all types and widths, with masks of either sign: scalars look at the whole mask, vectors at each
// component's highest bit. Bits are compared.
//! kernel test_char
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel test_uchar
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel test_short
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel test_ushort
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel test_int
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel test_uint
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel test_long
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel test_ulong
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel test_half
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel test_float
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
//! kernel test_double
//! global 48
//! arg bad = uint:zero:4
//! launch
//! expect bad = fill:0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define OF(n, array) vload##n(0, array)
#define COUNT(n, at, value, expected)                              \
  {                                                                \
    vstore##n(value, 0, r);                                        \
    uint wrong = 0;                                                \
    for (int i = 0; i < n; ++i) wrong += BITS(r[i]) != (expected); \
    if (wrong) atomic_add(&bad[at], wrong);                        \
  }
#define WIDTH(n)                                                                  \
  COUNT(n, 0, select(OF(n, x), OF(n, y), OF(n, m)), BITS(m[i] < 0 ? y[i] : x[i])) \
  COUNT(n, 1, select(OF(n, x), OF(n, y), OF(n, u)), BITS(m[i] < 0 ? y[i] : x[i])) \
  COUNT(n, 2, bitselect(OF(n, x), OF(n, y), OF(n, z)), (BITS(x[i]) & ~BITS(z[i])) | (BITS(y[i]) & BITS(z[i])))
// Scalars, whose masks are as often 0 as not.
#define SCALAR(i)                                                           \
  wrong += BITS(select(x[i], y[i], m[i])) != BITS(m[i] == 0 ? x[i] : y[i]); \
  wrong += BITS(select(x[i], y[i], u[i])) != BITS(m[i] == 0 ? x[i] : y[i]); \
  wrong += BITS(bitselect(x[i], y[i], z[i])) != ((BITS(x[i]) & ~BITS(z[i])) | (BITS(y[i]) & BITS(z[i])));
#define TEST(type, stype, utype)                                                                       \
  kernel void test_##type(global uint* bad) {                                                          \
    const int id = get_global_id(0);                                                                   \
    const int highest = 8 * sizeof(type) - 1;                                                          \
    type x[16], y[16], z[16], r[16];                                                                   \
    stype m[16];                                                                                       \
    utype u[16];                                                                                       \
    for (int i = 0; i < 16; ++i) {                                                                     \
      x[i] = MAKE(id * 16 + i + 1);                                                                    \
      y[i] = MAKE(id * 16 + i + 1000);                                                                 \
      z[i] = MAKE(id * 16 + i + 2000);                                                                 \
      u[i] = (id + i) % 4 == 0 ? 0 : (id + i) % 4 == 1 ? (utype)1 << highest : (id * 5 + i) % 100 + 1; \
      m[i] = (stype)u[i];                                                                              \
    }                                                                                                  \
    uint wrong = 0;                                                                                    \
    for (int i = 0; i < 16; ++i) {                                                                     \
      SCALAR(i)                                                                                        \
    }                                                                                                  \
    if (wrong) atomic_add(&bad[3], wrong);                                                             \
    WIDTH(2) WIDTH(3) WIDTH(4) WIDTH(8) WIDTH(16)                                                      \
  }
#define NOISE(k) ((ulong)(k) * 0x9e3779b97f4a7c15UL >> 7)
#define BITS(v) (v)
#define MAKE(k) (char)NOISE(k)
TEST(char, char, uchar)
#undef MAKE
#define MAKE(k) (uchar)NOISE(k)
TEST(uchar, char, uchar)
#undef MAKE
#define MAKE(k) (short)NOISE(k)
TEST(short, short, ushort)
#undef MAKE
#define MAKE(k) (ushort)NOISE(k)
TEST(ushort, short, ushort)
#undef MAKE
#define MAKE(k) (int)NOISE(k)
TEST(int, int, uint)
#undef MAKE
#define MAKE(k) (uint)NOISE(k)
TEST(uint, int, uint)
#undef MAKE
#define MAKE(k) (long)NOISE(k)
TEST(long, long, ulong)
#undef MAKE
#define MAKE(k) (ulong)NOISE(k)
TEST(ulong, long, ulong)
#undef MAKE
#undef BITS
#define BITS(v) as_short(v)
#define MAKE(k) as_half((short)NOISE(k))
TEST(half, short, ushort)
#undef MAKE
#undef BITS
#define BITS(v) as_int(v)
#define MAKE(k) as_float((int)NOISE(k))
TEST(float, int, uint)
#undef MAKE
#undef BITS
#define BITS(v) as_long(v)
#define MAKE(k) as_double((long)NOISE(k))
TEST(double, long, ulong)
#undef MAKE
