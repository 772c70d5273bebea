// Gamma function and its logarithm, computed in double, one lane at a time: they are rare and long.
//
// Methods: on [1, 2] minimax polynomials (Remez); below 12 moved there by gamma(x + 1) = x
// gamma(x); from 12 on Stirling's series; negative operands by reflection, gamma(-x) = -pi / (x
// sin(pi x) gamma(x)).
#pragma once

#include "extinst/pow_lanes.h"
#include "extinst/trig_lanes.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

inline constexpr double kStirlingFrom = 12;
inline constexpr double kPi = 0x1.921fb54442d18p+1;

/// log gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2) for x >= 12: the Bernoulli series, 2^-58.
TRANSPIRE_INLINE double stirling_tail(double x) {
  const double inverse = 1 / x;
  return inverse * polynomial(inverse * inverse, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680,
                              1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400);
}
/// (x - 1/2) log x - x, whose rounding error would be multiplied by the exponential: in
/// double-double.
TRANSPIRE_INLINE Sum stirling_exponent(double x) {
  return add(multiply(log_double_double(x), x - 0.5), {-x, 0});
}

/// gamma(1 + u) and log gamma(1 + u), 0 <= u <= 1. From u, because 1 + u may be rounded.
TRANSPIRE_INLINE double gamma_unit(double u) {
  return polynomial(
      u - 0.5, 0.886226925452758, 0.03233839744888472, 0.4148134536882831, -0.10729480456467601,
      0.14464535904751555, -0.07752305230910332, 0.05861030363665641, -0.038001935142926706,
      0.025837612213342496, -0.017222453331788255, 0.011522408653006543, -0.007690056347228927,
      0.005132871224012532, -0.0034243114747920535, 0.002273584759999745, -0.0015124181652970841,
      0.0010567225358420935, -0.000715957804636106, 0.0003325425184393428, -0.00020133160041697627,
      0.0003791913588471752, -0.00026835023703546725);
}
TRANSPIRE_INLINE double lgamma_unit(double u) {
  return u * (u - 1) *
         polynomial(u - 0.5, 0.4831289505409809, -0.14595989591430608, 0.06291140107456437,
                    -0.03130848750100939, 0.01679709863127598, -0.009425622448635223,
                    0.00544645783903262, -0.003212074069366655, 0.0019229163152252365,
                    -0.0011644146796786665, 0.000711519031097682, -0.0004379918290778365,
                    0.0002713140701328763, -0.0001689280627124171, 0.00010535325738809259,
                    -6.608821028189561e-05, 4.3034037486474125e-05, -2.737075942325888e-05,
                    1.317404358992477e-05, -8.054068286391483e-06, 1.2149596649989984e-05,
                    -7.990280398298211e-06);
}

/// For 0 < x < 12: gamma(x) = gamma(1 + u) * factor, or gamma(1 + u) / factor where x < 1.
struct Shifted {
  double u, factor;
  bool below;
};
TRANSPIRE_INLINE Shifted shift_to_unit(double x) {
  if (x < 1) return {x, x, true};
  double factor = 1;
  while (x > 2) {
    x -= 1;
    factor *= x;
  }
  return {x - 1, factor, false};
}

/// gamma(x) * 2^scale or, inverted, 2^scale / gamma(x), for x > 0.
TRANSPIRE_INLINE double gamma_positive(double x, bool invert, double scale) {
  if (x < kStirlingFrom) {
    const Shifted unit = shift_to_unit(x);
    const double value = gamma_unit(unit.u);
    if (invert)
      return scale_by(unit.below ? unit.factor / value : 1 / (value * unit.factor), scale);
    return scale_by(unit.below ? value / unit.factor : value * unit.factor, scale);
  }
  Sum exponent = stirling_exponent(x < 400 ? x : 400);
  if (invert) exponent = {-exponent.high, -exponent.low};
  constexpr double kSqrt2Pi = 2.5066282746310007;
  const double rest = kSqrt2Pi * (1 + expm1_of(stirling_tail(x)));
  const double power = exp_of(exponent, scale);
  return invert ? power / rest : power * rest;
}

__attribute__((noinline)) static double tgamma_of(double x) {
  if (is_nan(x) || x == -kInfinity<double>) return kNan<double>;
  if (x == kInfinity<double>) return x;
  if (x == 0) return with_sign(kInfinity<double>, x);
  if (x > 0) return gamma_positive(x, false, 0);
  if (trunc_of(x) == x) return kNan<double>;
  if (x > -0x1p-60) return 1 / x;  // where x sin(pi x) could underflow
  // Below -170 the inverse is subnormal while the result need not be: computed 2^200 times as
  // large.
  const double scale = x < -100 ? 200 : 0;
  const double inverse = gamma_positive(-x, true, scale);
  return kPi / (x * Sinpi::lane(-x)) * inverse * power_of_two(-scale);
}

TRANSPIRE_INLINE double lgamma_positive(double x) {
  if (x < kStirlingFrom) {
    const Shifted unit = shift_to_unit(x);
    const double log = Log::lane(unit.factor);
    return lgamma_unit(unit.u) + (unit.below ? -log : log);
  }
  if (x > 0x1p60) return x * (Log::lane(x) - 1);
  constexpr double kHalfLog2Pi = 0.9189385332046728;
  const Sum sum = stirling_exponent(x);
  return sum.high + (sum.low + (stirling_tail(x) + kHalfLog2Pi));
}

__attribute__((noinline)) static double lgamma_of(double x) {
  if (is_nan(x)) return kNan<double>;
  if (abs_of(x) == kInfinity<double>) return kInfinity<double>;
  if (x > 0) return lgamma_positive(x);
  if (trunc_of(x) == x) return kInfinity<double>;
  if (x > -0x1p-60) return -Log::lane(-x);  // where x sin(pi x) could underflow
  return Log::lane(kPi / abs_of(x * Sinpi::lane(x))) - lgamma_positive(-x);
}

struct Tgamma {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return static_cast<T>(tgamma_of(a));
  }
};
struct Lgamma {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return static_cast<T>(lgamma_of(a));
  }
};

/// gamma is negative between -1 and 0, -3 and -2, ...; 0 stands for its poles.
struct LgammaSign {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE std::uint32_t lane(T a) {
    const T down = floor_of(a), half = T{0.5} * down;
    const bool odd = floor_of(half) != half;
    const bool pole = (a <= 0) & (down == a);
    const std::uint32_t sign = (a < 0) & odd ? 0xffffffffu : 1u;
    return pole ? 0 : sign;
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
