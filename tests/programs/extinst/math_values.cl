// A part of math_values_half.cl, _float.cl and _double.cl, which define REAL (the type), CODE (nan's argument) and STEP, whose
// square added to 1 is 1.
//
// Each function's results are side by side, one for each work-item.
#define PUT(value) { out[at] = (value); at += get_global_size(0); }
#define ONE(f) PUT(f(v))
#define TWO(f) PUT(f(v, w))

kernel void angles(global const REAL* x, global REAL* out) {
  size_t at = get_global_id(0);
  const REAL v = x[at];
  ONE(sin) ONE(cos) ONE(tan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(atan) ONE(atanpi) ONE(cbrt) ONE(degrees) ONE(radians)
  REAL cosine;
  PUT(sincos(v, &cosine))
  PUT(cosine)
}

kernel void turns(global const REAL* x, global REAL* out) {
  size_t at = get_global_id(0);
  const REAL v = x[at];
  ONE(sinpi) ONE(cospi) ONE(tanpi)
}

kernel void small(global const REAL* x, global REAL* out) {
  size_t at = get_global_id(0);
  const REAL v = x[at];
  ONE(acos) ONE(asin) ONE(atanh) ONE(acospi) ONE(asinpi) ONE(erf) ONE(erfc) ONE(expm1) ONE(log1p)
}

kernel void positive(global const REAL* x, global REAL* out) {
  size_t at = get_global_id(0);
  const REAL v = x[at];
  ONE(acosh) ONE(log) ONE(log2) ONE(log10) ONE(sqrt) ONE(rsqrt)
}

kernel void exponents(global const REAL* x, global REAL* out) {
  size_t at = get_global_id(0);
  const REAL v = x[at];
  ONE(exp) ONE(exp2) ONE(exp10)
}

kernel void gammas(global const REAL* x, global REAL* out, global int* signs) {
  size_t at = get_global_id(0);
  const REAL v = x[at];
  ONE(tgamma) ONE(lgamma)
  int sign;
  PUT(lgamma_r(v, &sign))
  signs[get_global_id(0)] = sign;
}

kernel void parts(global const REAL* x, global REAL* out, global int* ints) {
  size_t at = get_global_id(0);
  const REAL v = x[at];
  ONE(ceil) ONE(floor) ONE(rint) ONE(round) ONE(trunc) ONE(fabs) ONE(logb)
  REAL whole;
  PUT(fract(v, &whole))
  PUT(whole)
  PUT(modf(v, &whole))
  PUT(whole)
  int exponent;
  PUT(frexp(v, &exponent))
  PUT(nan(CODE))
  ONE(sign)
  ints[get_global_id(0)] = ilogb(v);
  ints[get_global_id(0) + 4] = exponent;
}

kernel void pairs(global const REAL* x, global const REAL* y, global const REAL* z, global const int* k, global REAL* out,
                  global int* quotients) {
  const size_t i = get_global_id(0);
  size_t at = i;
  const REAL v = x[i], w = y[i];
  TWO(atan2) TWO(atan2pi) TWO(hypot) TWO(pow)
  PUT(powr(fabs(v), w))
  PUT(pown(v, k[i]))
  PUT(rootn(v, k[i]))
  TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(maxmag) TWO(minmag) TWO(nextafter) TWO(remainder)
  int quotient;
  PUT(remquo(v, w, &quotient))
  quotients[i] = quotient;
  PUT(fma(v, w, z[i]))
  PUT(mad(v, w, z[i]))
  PUT(ldexp(v, k[i]))
  TWO(max) TWO(min) TWO(step)
  const REAL tiny = (REAL)STEP;
  PUT(fma(1 + tiny, 1 - tiny, (REAL)-1))
}

kernel void blends(global const REAL* x, global REAL* out) {
  size_t at = get_global_id(0);
  const REAL v = x[at];
  PUT(clamp(v, (REAL)-1, (REAL)2))
  PUT(mix((REAL)4, (REAL)12, clamp(v, (REAL)0, (REAL)1)))
  PUT(smoothstep((REAL)0, (REAL)1, v))
}

kernel void relations(global const REAL* x, global const REAL* y, global int* out) {
  size_t at = get_global_id(0);
  const REAL v = x[at], w = y[at];
  TWO(isequal) TWO(isnotequal) TWO(isgreater) TWO(isgreaterequal) TWO(isless) TWO(islessequal) TWO(islessgreater)
  TWO(isordered) TWO(isunordered)
  ONE(isfinite) ONE(isinf) ONE(isnan) ONE(isnormal)
  PUT(signbit(w))
}
