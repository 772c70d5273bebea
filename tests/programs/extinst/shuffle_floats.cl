// shuffle and shuffle2 of halves, floats and doubles between all widths: as indexing says, by the masks' low bits alone. What
// vector_components_int.cl has of integers.
//! kernel test_half
//! global 40
//! arg bad = uint:zero:2
//! launch
//! expect bad = fill:0
//! kernel test_float
//! global 40
//! arg bad = uint:zero:2
//! launch
//! expect bad = fill:0
//! kernel test_double
//! global 40
//! arg bad = uint:zero:2
//! launch
//! expect bad = fill:0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define OF(n, array) vload##n(0, array)
#define COUNT(n, at, value, expected)                        \
  {                                                          \
    vstore##n(value, 0, r);                                  \
    uint wrong = 0;                                          \
    for (int i = 0; i < n; ++i) wrong += r[i] != (expected); \
    if (wrong) atomic_add(&bad[at], wrong);                  \
  }
#define PAIR(m, n)                                            \
  COUNT(n, 0, shuffle(OF(m, x), OF(n, mask)), x[mask[i] % m]) \
  COUNT(n, 1, shuffle2(OF(m, x), OF(m, y), OF(n, mask)), mask[i] % (2 * m) < m ? x[mask[i] % m] : y[mask[i] % m])
#define FROM(m) PAIR(m, 2) PAIR(m, 4) PAIR(m, 8) PAIR(m, 16)
#define TEST(type, utype)                                  \
  kernel void test_##type(global uint* bad) {              \
    const int id = get_global_id(0);                       \
    type x[16], y[16], r[16];                              \
    utype mask[16];                                        \
    for (int i = 0; i < 16; ++i) {                         \
      x[i] = (type)(i - 5);                                \
      y[i] = (type)(100 + i);                              \
      mask[i] = (utype)(id * 7 + i * 11 + (i % 3) * 1000); \
    }                                                      \
    FROM(2) FROM(4) FROM(8) FROM(16)                       \
  }
TEST(half, ushort)
TEST(float, uint)
TEST(double, ulong)
