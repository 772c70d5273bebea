// Sine, cosine and tangent, of angles in radians and in half turns.
//
// Method: minimax polynomials (Remez) on [-pi/4, pi/4] after the reduction; which of sine and
// cosine, and its sign, follow from the quadrant by bit operations.
#pragma once

#include "extinst/common_lanes.h"
#include "extinst/trig_reduction.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

struct SinCos {
  double sin, cos;
};

/// |r| <= pi/4; relative error 2^-37 and 2^-34. r.low is ignored.
TRANSPIRE_INLINE SinCos sin_cos_short(Sum r) {
  const double z = r.high * r.high;
  return {r.high * polynomial(z, 0.9999999999954275, -0.16666666630300564, 0.008333328676168863,
                              -0.00019839174165370863, 2.7171142833783684e-06),
          polynomial(z, 0.9999999999436474, -0.49999999569797354, 0.041666613069798054,
                     -0.0013886524351548332, 2.4372245714231646e-05)};
}

/// |r| <= pi/4; error below 0.8 units in the last place. r.low enters to first order:
/// sin(r + d) = sin r + d cos r, cos(r + d) = cos r - d sin r. The sums lose the sign of -0.
TRANSPIRE_INLINE SinCos sin_cos(Sum r) {
  const double x = r.high, z = x * x, half = 0.5 * z;
  const double sin_tail =
      polynomial(z, 0.008333333333333323, -0.00019841269841255064, 2.755731921418765e-06,
                 -2.5052104910859227e-08, 1.6058366533836766e-10, -7.57869317814563e-13);
  const double sin = x + (x * z * (z * sin_tail - 0x1.5555555555555p-3) + r.low * (1 - half));
  const double cos_tail =
      polynomial(z, 0.041666666666666664, -0.0013888888888888874, 2.480158730157146e-05,
                 -2.7557319215360107e-07, 2.0876754362518026e-09, -1.1470292842358486e-11,
                 4.738089449135944e-14);
  const double rough = 1 - half;
  return {with_sign(sin, x), rough + (((1 - rough) - half) + (z * z * cos_tail - x * r.low))};
}

/// sin(r + n pi/2): the cosine in odd quadrants, negated in the second half of the turn.
TRANSPIRE_INLINE double quadrant_sin(SinCos value, std::uint64_t n) {
  return from_bits(bits_of(select_odd(n, value.cos, value.sin)) ^ (n << 62 & kSignBit<double>));
}
/// tan(r + n pi/2): sin / cos, or -cos / sin in odd quadrants.
TRANSPIRE_INLINE double quadrant_tan(SinCos value, std::uint64_t n) {
  const double numerator = select_odd(n, value.cos, value.sin);
  const double denominator = select_odd(n, value.sin, value.cos);
  return from_bits(bits_of(numerator / denominator) ^ (n << 63));
}

/// Gives a function of a reduced angle its lanes: Fn::of(SinCos, quadrant).
template <class Fn>
struct Radians {
  template <class T>
  static TRANSPIRE_INLINE auto excess(T a) {
    return angle_excess(a);
  }
  static TRANSPIRE_INLINE float narrow_lane(float a) {
    const Reduced angle = reduce_narrow_short(a);
    const auto result = static_cast<float>(Fn::of(sin_cos_short(angle.r), angle.quadrant));
    return nan_if(!(abs_of(a) < kInfinity<float>), result);
  }
  static TRANSPIRE_INLINE double narrow_lane(double a) {
    const Reduced angle = reduce_narrow(a);
    const double result = Fn::of(sin_cos(angle.r), angle.quadrant);
    return nan_if(!(abs_of(a) < kInfinity<double>), result);
  }
  __attribute__((noinline)) static float wide_lane(float a) {
    const Reduced angle = reduce_wide(a);
    return static_cast<float>(Fn::of(sin_cos_short(angle.r), angle.quadrant));
  }
  __attribute__((noinline)) static double wide_lane(double a) {
    const Reduced angle = reduce_wide(a);
    return Fn::of(sin_cos(angle.r), angle.quadrant);
  }
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return excess(a) == 0 ? narrow_lane(a) : wide_lane(a);
  }
};

/// Sine (kQuarters 0) and cosine (1): of floats by extinst/float_math.h, of which those whose
/// reduction takes a big integer go lane by lane.
template <int kQuarters>
struct Sine : Radians<Sine<kQuarters>> {
  using Base = Radians<Sine<kQuarters>>;

  static TRANSPIRE_INLINE double of(SinCos value, std::uint64_t n) {
    return quadrant_sin(value, n + kQuarters);
  }

  static TRANSPIRE_INLINE std::uint64_t excess(double a) { return angle_excess(a); }
  static void excess(float) = delete;
  static TRANSPIRE_INLINE FloatMask is_narrow_vector(Floats a) {
    return abs_of(a) <= kFloatReducedLimit;
  }
  static TRANSPIRE_INLINE Floats narrow_vector(Floats a) { return float_sine_small<kQuarters>(a); }
  static TRANSPIRE_INLINE Floats vector(Floats a) {
    const Native<float> angles = native(a);
    Native<float> result = native(float_sine<kQuarters>(a));
    for (std::uint32_t i = 0; i < kVectorLanes<float>; ++i)
      if (angle_excess(angles[i]) != 0) result[i] = Base::wide_lane(angles[i]);
    return from_native<float>(result);
  }
  static TRANSPIRE_INLINE float lane(float a) {
    return angle_excess(a) == 0 ? lane_of(float_sine<kQuarters>(splat(a)), 0) : Base::wide_lane(a);
  }
  static TRANSPIRE_INLINE double lane(double a) { return Base::lane(a); }
};
struct Sin : Sine<0> {};
struct Cos : Sine<1> {};
struct Tan : Radians<Tan> {
  static TRANSPIRE_INLINE double of(SinCos value, std::uint64_t n) {
    return quadrant_tan(value, n);
  }
};

/// pi x = n pi/2 + r for an angle of x half turns. Values from 2^53 on are even integers.
TRANSPIRE_INLINE Reduced reduce_half_turns(double x) {
  const double magnitude = abs_of(x) < 0x1p53 ? abs_of(x) : 0;
  const double turn = with_sign(magnitude - 2 * trunc_of(0.5 * magnitude), x);
  const Nearest n = nearest(2 * turn);
  const double r = turn - 0.5 * n.value;
  return {{r * 0x1.921fb54442d18p+1, r * 0x1.1a62633145c07p-53}, n.bits};
}
/// Floats need no remainder modulo 2 first: from 2^24 on they are even integers, below that twice
/// them is an integer that `nearest` takes.
TRANSPIRE_INLINE Reduced reduce_half_turns_short(double x) {
  const double turn = abs_of(x) < 0x1p24 ? x : 0;
  const Nearest n = nearest(2 * turn);
  return {{(turn - 0.5 * n.value) * 0x1.921fb54442d18p+1, 0}, n.bits};
}

/// Gives a function of an angle in half turns its lanes: Fn::of(a, Reduced, SinCos).
template <class Fn>
struct HalfTurns {
  static TRANSPIRE_INLINE float lane(float a) {
    const Reduced angle = reduce_half_turns_short(a);
    const double result = Fn::of(static_cast<double>(a), angle, sin_cos_short(angle.r));
    return nan_if(!(abs_of(a) < kInfinity<float>), static_cast<float>(result));
  }
  static TRANSPIRE_INLINE double lane(double a) {
    const Reduced angle = reduce_half_turns(a);
    const double result = Fn::of(a, angle, sin_cos(angle.r));
    return nan_if(!(abs_of(a) < kInfinity<double>), result);
  }
};

/// Zeros of sinpi have the sign of the operand, those of cospi are positive.
struct Sinpi : HalfTurns<Sinpi> {
  static TRANSPIRE_INLINE double of(double a, Reduced angle, SinCos value) {
    const double result = quadrant_sin(value, angle.quadrant);
    return result == 0 ? with_sign(0.0, a) : result;
  }
};
struct Cospi : HalfTurns<Cospi> {
  static TRANSPIRE_INLINE double of(double, Reduced angle, SinCos value) {
    const double result = quadrant_sin(value, angle.quadrant + 1);
    return result == 0 ? 0 : result;
  }
};
/// Where r is 0: 0 with the operand's sign at even integers and the other at odd ones, infinity
/// between them, positive after even integers.
struct Tanpi : HalfTurns<Tanpi> {
  static TRANSPIRE_INLINE double of(double a, Reduced angle, SinCos value) {
    const std::uint64_t odd_turn = angle.quadrant << 62 & kSignBit<double>;
    const double zero = from_bits(bits_of(with_sign(0.0, a)) ^ odd_turn);
    const double pole = from_bits(bits_of(kInfinity<double>) ^ odd_turn);
    const double exact = select_odd(angle.quadrant, pole, zero);
    return angle.r.high == 0 ? exact : quadrant_tan(value, angle.quadrant);
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
