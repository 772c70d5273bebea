// A part of vector_components_half.cl, _float.cl and _double.cl, which define REAL (the type), BITS (its bits as an integer), WHOLE and UWHOLE
// (integers of as many bits), TESTED (what relations of vectors give) and COUNT_OF_INPUTS.
//
// Every floating-point function of OpenCL C, on vectors of 2, 3, 4, 8 and 16: each component must have
// the bits that the scalar function gives. bad[f] counts those of function f that have not.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define V(type, n) JOIN(type, n)

#define COUNT(differs) \
  for (int i = 0; i < 16; ++i) wrong += i < width && (differs) ? 1 : 0;
#define OF(n, array) JOIN(vload, n)(0, array)
#define TO(n, value, array) JOIN(vstore, n)(value, 0, array)
#define SAME(x, y) (BITS(x) == BITS(y))

/* f(x), f(x, y), f(x, y, z) */
#define CHECK1(n, f) { const int width = n; TO(n, f(OF(n, x)), r); COUNT(!SAME(r[i], f(x[i]))) }
#define CHECK2(n, f) { const int width = n; TO(n, f(OF(n, x), OF(n, y)), r); COUNT(!SAME(r[i], f(x[i], y[i]))) }
#define CHECK3(n, f) \
  { const int width = n; TO(n, f(OF(n, x), OF(n, y), OF(n, z)), r); COUNT(!SAME(r[i], f(x[i], y[i], z[i]))) }
/* int f(x) */
#define CHECK_INT(n, f) { const int width = n; TO(n, f(OF(n, x)), s); COUNT(s[i] != f(x[i])) }
/* f(x, int) */
#define CHECK_BY_INT(n, f) { const int width = n; TO(n, f(OF(n, x), OF(n, k)), r); COUNT(!SAME(r[i], f(x[i], k[i]))) }
/* f(x, &real) */
#define CHECK_PAIR(n, f)                                              \
  {                                                                   \
    const int width = n;                                              \
    V(REAL, n) second;                                                \
    TO(n, f(OF(n, x), &second), r);                                   \
    TO(n, second, q);                                                 \
    for (int i = 0; i < n; ++i) {                                     \
      REAL other;                                                     \
      wrong += !SAME(r[i], f(x[i], &other)) || !SAME(q[i], other);    \
    }                                                                 \
  }
/* f(x, &int) */
#define CHECK_INT_PAIR(n, f)                                          \
  {                                                                   \
    const int width = n;                                              \
    V(int, n) second;                                                 \
    TO(n, f(OF(n, x), &second), r);                                   \
    TO(n, second, s);                                                 \
    for (int i = 0; i < n; ++i) {                                     \
      int other;                                                      \
      wrong += !SAME(r[i], f(x[i], &other)) || s[i] != other;         \
    }                                                                 \
  }
#define CHECK_REMQUO(n)                                               \
  {                                                                   \
    V(int, n) second;                                                 \
    TO(n, remquo(OF(n, x), OF(n, y), &second), r);                    \
    TO(n, second, s);                                                 \
    for (int i = 0; i < n; ++i) {                                     \
      int other;                                                      \
      wrong += !SAME(r[i], remquo(x[i], y[i], &other)) || s[i] != other; \
    }                                                                 \
  }
#define CHECK_NAN(n) { const int width = n; TO(n, nan(OF(n, u)), r); COUNT(!SAME(r[i], nan(u[i]))) }
#define CHECK_SELECT(n) \
  { const int width = n; TO(n, select(OF(n, x), OF(n, y), OF(n, w)), r); COUNT(!SAME(r[i], w[i] < 0 ? y[i] : x[i])) }
/* Relations give -1 in vectors and 1 in scalars, and integers of the operands' width. */
#define CHECK_TEST(n, f) { const int width = n; TO(n, f(OF(n, x)), t); COUNT(t[i] != (f(x[i]) ? -1 : 0)) }
#define CHECK_RELATION(n, f) \
  { const int width = n; TO(n, f(OF(n, x), OF(n, y)), t); COUNT(t[i] != (f(x[i], y[i]) ? -1 : 0)) }

#define WIDTHS(check, f) \
  { uint wrong = 0; check(2, f) check(3, f) check(4, f) check(8, f) check(16, f) \
    if (wrong) atomic_add(&bad[function], wrong); ++function; }
#define WIDTHS0(check) \
  { uint wrong = 0; check(2) check(3) check(4) check(8) check(16) \
    if (wrong) atomic_add(&bad[function], wrong); ++function; }

kernel void first(global const REAL* in, global uint* bad) {
  const int id = get_global_id(0);
  REAL x[16], r[16], q[16];
  int s[16];
  for (int i = 0; i < 16; ++i) x[i] = in[(id + i) % COUNT_OF_INPUTS];
  int function = 0;
  WIDTHS(CHECK1, acos) WIDTHS(CHECK1, acosh) WIDTHS(CHECK1, acospi) WIDTHS(CHECK1, asin)
  WIDTHS(CHECK1, asinh) WIDTHS(CHECK1, asinpi) WIDTHS(CHECK1, atan) WIDTHS(CHECK1, atanh)
  WIDTHS(CHECK1, atanpi) WIDTHS(CHECK1, cbrt) WIDTHS(CHECK1, ceil) WIDTHS(CHECK1, cos)
  WIDTHS(CHECK1, cosh) WIDTHS(CHECK1, cospi) WIDTHS(CHECK1, erf) WIDTHS(CHECK1, erfc)
  WIDTHS(CHECK1, exp) WIDTHS(CHECK1, exp2) WIDTHS(CHECK1, exp10) WIDTHS(CHECK1, expm1)
  WIDTHS(CHECK1, fabs) WIDTHS(CHECK1, floor) WIDTHS(CHECK1, lgamma) WIDTHS(CHECK1, log)
  WIDTHS(CHECK1, log2) WIDTHS(CHECK1, log10) WIDTHS(CHECK1, log1p) WIDTHS(CHECK1, logb)
  WIDTHS(CHECK1, rint) WIDTHS(CHECK1, round) WIDTHS(CHECK1, rsqrt) WIDTHS(CHECK1, sin)
  WIDTHS(CHECK1, sinh) WIDTHS(CHECK1, sinpi) WIDTHS(CHECK1, sqrt) WIDTHS(CHECK1, tan)
  WIDTHS(CHECK1, tanh) WIDTHS(CHECK1, tanpi) WIDTHS(CHECK1, tgamma) WIDTHS(CHECK1, trunc)
  WIDTHS(CHECK1, degrees) WIDTHS(CHECK1, radians) WIDTHS(CHECK1, sign)
  WIDTHS(CHECK_INT, ilogb)
  WIDTHS(CHECK_PAIR, fract) WIDTHS(CHECK_PAIR, modf) WIDTHS(CHECK_PAIR, sincos)
  WIDTHS(CHECK_INT_PAIR, frexp) WIDTHS(CHECK_INT_PAIR, lgamma_r)
}

#ifdef HAS_SHORT_FORMS
kernel void third(global const REAL* in, global uint* bad) {
  const int id = get_global_id(0);
  REAL x[16], y[16], r[16];
  for (int i = 0; i < 16; ++i) {
    x[i] = in[(id + i) % COUNT_OF_INPUTS];
    y[i] = in[(id / 8 * 5 + 3 * i) % COUNT_OF_INPUTS];
  }
  int function = 0;
  WIDTHS(CHECK1, half_cos) WIDTHS(CHECK1, half_exp) WIDTHS(CHECK1, half_exp2) WIDTHS(CHECK1, half_exp10)
  WIDTHS(CHECK1, half_log) WIDTHS(CHECK1, half_log2) WIDTHS(CHECK1, half_log10) WIDTHS(CHECK1, half_recip)
  WIDTHS(CHECK1, half_rsqrt) WIDTHS(CHECK1, half_sin) WIDTHS(CHECK1, half_sqrt) WIDTHS(CHECK1, half_tan)
  WIDTHS(CHECK2, half_divide) WIDTHS(CHECK2, half_powr)
  WIDTHS(CHECK1, native_cos) WIDTHS(CHECK1, native_exp) WIDTHS(CHECK1, native_exp2) WIDTHS(CHECK1, native_exp10)
  WIDTHS(CHECK1, native_log) WIDTHS(CHECK1, native_log2) WIDTHS(CHECK1, native_log10) WIDTHS(CHECK1, native_recip)
  WIDTHS(CHECK1, native_rsqrt) WIDTHS(CHECK1, native_sin) WIDTHS(CHECK1, native_sqrt) WIDTHS(CHECK1, native_tan)
  WIDTHS(CHECK2, native_divide) WIDTHS(CHECK2, native_powr)
}
#endif

kernel void second(global const REAL* in, global uint* bad) {
  const int id = get_global_id(0);
  REAL x[16], y[16], z[16], r[16];
  int s[16], k[16];
  UWHOLE u[16];
  WHOLE w[16];
  TESTED t[16];
  for (int i = 0; i < 16; ++i) {
    x[i] = in[(id + i) % COUNT_OF_INPUTS];
    y[i] = in[(id / 8 * 5 + 3 * i) % COUNT_OF_INPUTS];
    z[i] = in[(id * 3 + 7 * i + 1) % COUNT_OF_INPUTS];
    k[i] = (id * 7 + i) % 9 - 4;
    u[i] = (UWHOLE)(id * 1234577 + i * 77);
    w[i] = (WHOLE)((id + i) % 3 - 1);
  }
  int function = 0;
  WIDTHS(CHECK2, atan2) WIDTHS(CHECK2, atan2pi) WIDTHS(CHECK2, copysign) WIDTHS(CHECK2, fdim)
  WIDTHS(CHECK2, fmax) WIDTHS(CHECK2, fmin) WIDTHS(CHECK2, fmod) WIDTHS(CHECK2, hypot)
  WIDTHS(CHECK2, maxmag) WIDTHS(CHECK2, minmag) WIDTHS(CHECK2, nextafter) WIDTHS(CHECK2, pow)
  WIDTHS(CHECK2, powr) WIDTHS(CHECK2, remainder) WIDTHS(CHECK2, max) WIDTHS(CHECK2, min)
  WIDTHS(CHECK2, step)
  WIDTHS(CHECK3, fma) WIDTHS(CHECK3, mad) WIDTHS(CHECK3, clamp) WIDTHS(CHECK3, mix)
  WIDTHS(CHECK3, smoothstep) WIDTHS(CHECK3, bitselect)
  WIDTHS(CHECK_BY_INT, ldexp) WIDTHS(CHECK_BY_INT, pown) WIDTHS(CHECK_BY_INT, rootn)
  WIDTHS0(CHECK_REMQUO) WIDTHS0(CHECK_NAN) WIDTHS0(CHECK_SELECT)
  WIDTHS(CHECK_TEST, isfinite) WIDTHS(CHECK_TEST, isinf) WIDTHS(CHECK_TEST, isnan)
  WIDTHS(CHECK_TEST, isnormal) WIDTHS(CHECK_TEST, signbit)
  WIDTHS(CHECK_RELATION, isequal) WIDTHS(CHECK_RELATION, isnotequal) WIDTHS(CHECK_RELATION, isgreater)
  WIDTHS(CHECK_RELATION, isgreaterequal) WIDTHS(CHECK_RELATION, isless)
  WIDTHS(CHECK_RELATION, islessequal) WIDTHS(CHECK_RELATION, islessgreater)
  WIDTHS(CHECK_RELATION, isordered) WIDTHS(CHECK_RELATION, isunordered)
}
