// Functions of vectors that take a scalar for one of their operands or two: each component is what the function of scalars
// gives. bad[f] counts the components of function f that are not.
//! kernel test_char
//! global 32
//! arg bad = uint:zero:3
//! launch
//! expect bad = fill:0
//! kernel test_uchar
//! global 32
//! arg bad = uint:zero:3
//! launch
//! expect bad = fill:0
//! kernel test_short
//! global 32
//! arg bad = uint:zero:3
//! launch
//! expect bad = fill:0
//! kernel test_ushort
//! global 32
//! arg bad = uint:zero:3
//! launch
//! expect bad = fill:0
//! kernel test_int
//! global 32
//! arg bad = uint:zero:3
//! launch
//! expect bad = fill:0
//! kernel test_uint
//! global 32
//! arg bad = uint:zero:3
//! launch
//! expect bad = fill:0
//! kernel test_long
//! global 32
//! arg bad = uint:zero:3
//! launch
//! expect bad = fill:0
//! kernel test_ulong
//! global 32
//! arg bad = uint:zero:3
//! launch
//! expect bad = fill:0
//! kernel test_half
//! global 32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
//! kernel test_float
//! global 32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
//! kernel test_double
//! global 32
//! arg bad = uint:zero:9
//! launch
//! expect bad = fill:0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define OF(n, array) vload##n(0, array)
#define COUNT(n, value, expected)                            \
  {                                                          \
    vstore##n(value, 0, r);                                  \
    for (int i = 0; i < n; ++i) wrong += r[i] != (expected); \
  }
#define WIDTHS(check, f)                                                         \
  { uint wrong = 0; check(2, f) check(3, f) check(4, f) check(8, f) check(16, f) \
    if (wrong) atomic_add(&bad[function], wrong); ++function; }
#define LAST(n, f) COUNT(n, f(OF(n, x), y), f(x[i], y))
#define FIRST(n, f) COUNT(n, f(y, OF(n, x)), f(y, x[i]))
#define LIMITS(n, f) COUNT(n, f(OF(n, x), low, high), f(x[i], low, high))
#define EDGES(n, f) COUNT(n, f(low, high, OF(n, x)), f(low, high, x[i]))
#define SHARE(n, f) COUNT(n, f(OF(n, x), OF(n, z), part), f(x[i], z[i], part))
#define POWER(n, f) COUNT(n, f(OF(n, x), power), f(x[i], power))
// Numbers around 0 that differ from component to component; those of unsigned types wrap.
#define BEGIN(type, more)                                          \
  const int id = get_global_id(0);                                 \
  type x[16], z[16], r[16];                                        \
  for (int i = 0; i < 16; ++i) {                                   \
    x[i] = (type)((id * 5 + i * 3) % 37 - 18);                     \
    z[i] = (type)((id * 7 + i) % 29 - 14);                         \
  }                                                                \
  const type y = (type)(id % 19 - 9);                              \
  const type low = min(y, z[0]), high = max(y, z[0]) + (type)more; \
  int function = 0;
#define INTEGERS(type)                                        \
  kernel void test_##type(global uint* bad) {                 \
    BEGIN(type, 0)                                            \
    WIDTHS(LAST, max) WIDTHS(LAST, min) WIDTHS(LIMITS, clamp) \
  }
#define FLOATS(type)                                                  \
  kernel void test_##type(global uint* bad) {                         \
    BEGIN(type, 1)                                                    \
    const type part = (type)(id % 5) / 4;                             \
    const int power = id % 7 - 3;                                     \
    WIDTHS(LAST, max) WIDTHS(LAST, min) WIDTHS(LIMITS, clamp)         \
    WIDTHS(LAST, fmax) WIDTHS(LAST, fmin) WIDTHS(FIRST, step)         \
    WIDTHS(EDGES, smoothstep) WIDTHS(SHARE, mix) WIDTHS(POWER, ldexp) \
  }
INTEGERS(char)
INTEGERS(uchar)
INTEGERS(short)
INTEGERS(ushort)
INTEGERS(int)
INTEGERS(uint)
INTEGERS(long)
INTEGERS(ulong)
FLOATS(half)
FLOATS(float)
FLOATS(double)
