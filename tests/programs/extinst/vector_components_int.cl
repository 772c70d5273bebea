// Every integer function, select, bitselect and the shuffles on vectors of 2, 3, 4, 8 and 16 of all integer types
// give what they give on scalars, or what they are defined as: bad[f] counts the components of function f that are
// not right.
//! options -cl-std=CL2.0
//! kernel test_char
//! global 64
//! local 16
//! arg bad = uint:zero:32
//! launch
//! expect bad = fill:0
//! kernel test_uchar
//! global 64
//! local 16
//! arg bad = uint:zero:32
//! launch
//! expect bad = fill:0
//! kernel test_short
//! global 64
//! local 16
//! arg bad = uint:zero:32
//! launch
//! expect bad = fill:0
//! kernel test_ushort
//! global 64
//! local 16
//! arg bad = uint:zero:32
//! launch
//! expect bad = fill:0
//! kernel test_int
//! global 64
//! local 16
//! arg bad = uint:zero:32
//! launch
//! expect bad = fill:0
//! kernel test_uint
//! global 64
//! local 16
//! arg bad = uint:zero:32
//! launch
//! expect bad = fill:0
//! kernel test_long
//! global 64
//! local 16
//! arg bad = uint:zero:32
//! launch
//! expect bad = fill:0
//! kernel test_ulong
//! global 64
//! local 16
//! arg bad = uint:zero:32
//! launch
//! expect bad = fill:0
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define OF(n, array) JOIN(vload, n)(0, array)
#define TO(n, value, array) JOIN(vstore, n)(value, 0, array)
#define WIDTHS(check, f) \
  { uint wrong = 0; check(2, f) check(3, f) check(4, f) check(8, f) check(16, f) \
    if (wrong) atomic_add(&bad[function], wrong); ++function; }
#define COUNT(n, wrongly) for (int i = 0; i < n; ++i) wrong += (wrongly) ? 1 : 0;
#define CHECK1(n, f) { TO(n, f(OF(n, x)), r); COUNT(n, r[i] != f(x[i])) }
#define CHECK_U1(n, f) { TO(n, f(OF(n, x)), u); COUNT(n, u[i] != f(x[i])) }
#define CHECK2(n, f) { TO(n, f(OF(n, x), OF(n, y)), r); COUNT(n, r[i] != f(x[i], y[i])) }
#define CHECK_U2(n, f) { TO(n, f(OF(n, x), OF(n, y)), u); COUNT(n, u[i] != f(x[i], y[i])) }
#define CHECK3(n, f) { TO(n, f(OF(n, x), OF(n, y), OF(n, z)), r); COUNT(n, r[i] != f(x[i], y[i], z[i])) }
#define CHECK_CLAMP(n, f) \
  { TO(n, clamp(OF(n, x), min(OF(n, y), OF(n, z)), max(OF(n, y), OF(n, z))), r); \
    COUNT(n, r[i] != min(max(x[i], min(y[i], z[i])), max(y[i], z[i]))) }
#define CHECK_SELECT(n, mask) \
  { TO(n, select(OF(n, x), OF(n, y), OF(n, mask)), r); COUNT(n, r[i] != (mask[i] >> top & 1 ? y[i] : x[i])) }
#define CHECK_BITSELECT(n, f) \
  { TO(n, bitselect(OF(n, x), OF(n, y), OF(n, z)), r); COUNT(n, r[i] != ((x[i] & ~z[i]) | (y[i] & z[i]))) }
#define CHECK_UPSAMPLE(n, f) \
  { TO(n, upsample(OF(n, x), OF(n, v)), wide); COUNT(n, wide[i] != upsample(x[i], v[i])) }
#define SHUFFLED(m, n) { TO(n, shuffle(OF(m, x), OF(n, v)), r); COUNT(n, r[i] != x[v[i] % m]) }
#define SHUFFLED2(m, n) \
  { TO(n, shuffle2(OF(m, x), OF(m, y), OF(n, v)), r); COUNT(n, r[i] != (v[i] % (2 * m) < m ? x[v[i] % m] : y[v[i] % m])) }
#define SIZES(check) \
  { uint wrong = 0; \
    check(2, 2) check(2, 4) check(2, 8) check(2, 16) check(4, 2) check(4, 4) check(4, 8) check(4, 16) \
    check(8, 2) check(8, 4) check(8, 8) check(8, 16) check(16, 2) check(16, 4) check(16, 8) check(16, 16) \
    if (wrong) atomic_add(&bad[function], wrong); ++function; }
// Small numbers, the type's limits and their neighbours, and bits of a generator.
#define NUMBER(type, k) (type)((k) % 5 == 0 ? (k) / 5 - 6 : (k) % 5 == 1 ? (ulong)1 << (k) % 64 : \
                               (k) % 5 == 2 ? ((ulong)1 << (k) % 64) - 1 : (ulong)(k) * 0x9e3779b97f4a7c15UL >> (k) % 7)
#define BEGIN(type, utype, stype)                     \
  const int id = get_global_id(0);                    \
  const int top = 8 * sizeof(type) - 1;               \
  type x[16], y[16], z[16], r[16];                    \
  utype u[16], v[16];                                 \
  stype w[16];                                        \
  for (int i = 0; i < 16; ++i) {                      \
    x[i] = NUMBER(type, id * 3 + i);                  \
    y[i] = NUMBER(type, id * 5 + 7 * i + 2);          \
    z[i] = NUMBER(type, id * 7 + 3 * i + 11);         \
    v[i] = NUMBER(utype, id * 11 + 5 * i + 3);        \
    w[i] = NUMBER(stype, id * 13 + 9 * i + 1);        \
  }                                                   \
  int function = 0;
#define COMMON                                                                                     \
  WIDTHS(CHECK_U1, abs) WIDTHS(CHECK_U2, abs_diff) WIDTHS(CHECK2, add_sat) WIDTHS(CHECK2, sub_sat) \
  WIDTHS(CHECK2, hadd) WIDTHS(CHECK2, rhadd) WIDTHS(CHECK1, clz) WIDTHS(CHECK1, ctz)               \
  WIDTHS(CHECK1, popcount) WIDTHS(CHECK2, max) WIDTHS(CHECK2, min) WIDTHS(CHECK2, mul_hi)          \
  WIDTHS(CHECK2, rotate) WIDTHS(CHECK3, mad_hi) WIDTHS(CHECK3, mad_sat) WIDTHS(CHECK_CLAMP, )      \
  WIDTHS(CHECK_SELECT, w) WIDTHS(CHECK_SELECT, v) WIDTHS(CHECK_BITSELECT, ) SIZES(SHUFFLED) SIZES(SHUFFLED2)
kernel void test_char(global uint* bad) {
  BEGIN(char, uchar, char)
  COMMON
  short wide[16];
  WIDTHS(CHECK_UPSAMPLE, )
}
kernel void test_uchar(global uint* bad) {
  BEGIN(uchar, uchar, char)
  COMMON
  ushort wide[16];
  WIDTHS(CHECK_UPSAMPLE, )
}
kernel void test_short(global uint* bad) {
  BEGIN(short, ushort, short)
  COMMON
  int wide[16];
  WIDTHS(CHECK_UPSAMPLE, )
}
kernel void test_ushort(global uint* bad) {
  BEGIN(ushort, ushort, short)
  COMMON
  uint wide[16];
  WIDTHS(CHECK_UPSAMPLE, )
}
kernel void test_int(global uint* bad) {
  BEGIN(int, uint, int)
  COMMON
  long wide[16];
  WIDTHS(CHECK_UPSAMPLE, )
  for (int i = 0; i < 16; ++i) x[i] = x[i] >> 8, y[i] = y[i] >> 8;
  WIDTHS(CHECK2, mul24) WIDTHS(CHECK3, mad24)
}
kernel void test_uint(global uint* bad) {
  BEGIN(uint, uint, int)
  COMMON
  ulong wide[16];
  WIDTHS(CHECK_UPSAMPLE, )
  for (int i = 0; i < 16; ++i) x[i] = x[i] >> 8, y[i] = y[i] >> 8;
  WIDTHS(CHECK2, mul24) WIDTHS(CHECK3, mad24)
}
kernel void test_long(global uint* bad) {
  BEGIN(long, ulong, long)
  COMMON
}
kernel void test_ulong(global uint* bad) {
  BEGIN(ulong, ulong, long)
  COMMON
}
