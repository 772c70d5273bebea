// Lane functions of extinst/common.def: all exact, or one IEEE operation.
#pragma once

#include "extinst/lane_base.h"
#include "vm/simd/half.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

struct FAbs {
  static constexpr bool kTakesHalf = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return abs_of(a);
  }
  static TRANSPIRE_INLINE Half lane(Half a) {
    return {static_cast<std::uint16_t>(a.bits & 0x7fffu)};
  }
};

struct Copysign {
  static constexpr bool kTakesHalf = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return with_sign(a, b);
  }
  static TRANSPIRE_INLINE Half lane(Half a, Half b) {
    return {static_cast<std::uint16_t>((a.bits & 0x7fffu) | (b.bits & 0x8000u))};
  }
};

struct FMin {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T less = a < b ? a : b;
    return is_nan(b) ? a : less;
  }
};

struct FMax {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T more = b < a ? a : b;
    return is_nan(b) ? a : more;
  }
};

struct FClamp {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T low, T high) {
    return FMin::lane(FMax::lane(a, low), high);
  }
};

struct Maxmag {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T equal = FMax::lane(a, b);
    const T more = abs_of(a) > abs_of(b) ? a : equal;
    return abs_of(b) > abs_of(a) ? b : more;
  }
};

struct Minmag {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T equal = FMin::lane(a, b);
    const T less = abs_of(a) < abs_of(b) ? a : equal;
    return abs_of(b) < abs_of(a) ? b : less;
  }
};

struct FDim {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T difference = a > b ? a - b : T{0};
    return nan_if(is_nan(a) | is_nan(b), difference);
  }
};

struct Step {
  template <class T>
  static TRANSPIRE_INLINE T lane(T edge, T x) {
    return x < edge ? T{0} : T{1};
  }
};

struct Sign {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const T number = a == 0 ? a : with_sign(T{1}, a);
    return is_nan(a) ? T{0} : number;
  }
};

/// Below kRounder an addition rounds to an integer; what is left is to correct its direction. A NaN becomes quiet
/// as with the instructions.
template <class T>
TRANSPIRE_INLINE T rint_by_addition(T x) {
  const T magnitude = abs_of(x);
  const T rounded = (magnitude + FloatBits<T>::kRounder) - FloatBits<T>::kRounder;
  const T result = magnitude < FloatBits<T>::kRounder ? with_sign(rounded, x) : x;
  return is_nan(x) ? x + x : result;
}
template <class T>
TRANSPIRE_INLINE T floor_by_addition(T x) {
  const T rounded = rint_by_addition(x);
  return with_sign(rounded - (rounded > x ? T{1} : T{0}), x);
}
template <class T>
TRANSPIRE_INLINE T ceil_by_addition(T x) {
  const T rounded = rint_by_addition(x);
  return with_sign(rounded + (rounded < x ? T{1} : T{0}), x);
}
template <class T>
TRANSPIRE_INLINE T trunc_by_addition(T x) {
  const T magnitude = abs_of(x);
  const T rounded = rint_by_addition(magnitude);
  return with_sign(rounded - (rounded > magnitude ? T{1} : T{0}), x);
}

/// The instruction where there is one.
#define TRANSPIRE_ROUNDING(name)                                          \
  TRANSPIRE_INLINE float name##_of(float x) {                             \
    return kHasRounding ? __builtin_##name##f(x) : name##_by_addition(x); \
  }                                                                       \
  TRANSPIRE_INLINE double name##_of(double x) {                           \
    return kHasRounding ? __builtin_##name(x) : name##_by_addition(x);    \
  }
TRANSPIRE_ROUNDING(rint)
TRANSPIRE_ROUNDING(floor)
TRANSPIRE_ROUNDING(ceil)
TRANSPIRE_ROUNDING(trunc)
#undef TRANSPIRE_ROUNDING

struct Floor {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return floor_of(a);
  }
};
struct Ceil {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return ceil_of(a);
  }
};
struct Trunc {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return trunc_of(a);
  }
};
struct Rint {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return rint_of(a);
  }
};
struct Round {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const T whole = trunc_of(a);
    const T away = whole + with_sign(T{1}, a);
    return abs_of(a - whole) >= T{0.5} ? away : whole;
  }
};

struct Fract {
  static constexpr bool kTakesHalf = true;
  /// `largest` is the largest value below 1, where rounding would give 1.
  template <class T>
  static TRANSPIRE_INLINE T fraction(T a, T largest) {
    const T difference = a - floor_of(a);
    const T limited = difference > largest ? largest : difference;
    return (abs_of(a) == kInfinity<T>) | (a == 0) ? with_sign(T{0}, a) : limited;
  }
  static TRANSPIRE_INLINE float lane(float a) { return fraction(a, 0x1.fffffep-1f); }
  static TRANSPIRE_INLINE double lane(double a) { return fraction(a, 0x1.fffffffffffffp-1); }
  static TRANSPIRE_INLINE Half lane(Half a) { return to_half(fraction(to_float(a), 0x1.ffcp-1f)); }
};

struct Modf {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const T fraction = abs_of(a) == kInfinity<T> ? T{0} : a - trunc_of(a);
    return with_sign(fraction, a);
  }
};

/// A finite number other than 0 as fraction and exponent: the bits of |x| as a normal number, with
/// the exponent field counted down where x was subnormal and had to be scaled up.
template <class T>
struct Normalised {
  typename FloatBits<T>::Int bits;
  std::int32_t exponent;  ///< exponent e of 1.xxx * 2^e
};
template <class T>
TRANSPIRE_INLINE Normalised<T> normalised(T x) {
  constexpr int kFraction = FloatBits<T>::kFraction;
  const T magnitude = abs_of(x);
  const bool subnormal = magnitude < kMinNormal<T>;
  const T scale = static_cast<T>(std::uint64_t{1} << (kFraction + 1));
  const auto bits = bits_of(subnormal ? magnitude * scale : magnitude);
  const auto field = static_cast<std::int32_t>(bits >> kFraction);
  return {bits, field - FloatBits<T>::kBias - (subnormal ? kFraction + 1 : 0)};
}
/// Neither 0, infinite nor NaN.
template <class T>
TRANSPIRE_INLINE bool has_exponent(T x) {
  return (x != 0) & (abs_of(x) < kInfinity<T>);
}

struct Frexp {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    using Int = typename FloatBits<T>::Int;
    const Int fraction = normalised(a).bits & ((Int{1} << FloatBits<T>::kFraction) - 1);
    const T mantissa = from_bits(fraction | bits_of(T{0.5}));
    return has_exponent(a) ? with_sign(mantissa, a) : a;
  }
};
struct FrexpExponent {
  template <class T>
  static TRANSPIRE_INLINE std::uint32_t lane(T a) {
    const auto exponent = static_cast<std::uint32_t>(normalised(a).exponent) + 1;
    return has_exponent(a) ? exponent : 0;
  }
};

/// FP_ILOGB0 is INT_MIN and FP_ILOGBNAN is INT_MAX, as in the OpenCL C headers of clang.
struct Ilogb {
  template <class T>
  static TRANSPIRE_INLINE std::uint32_t lane(T a) {
    const auto exponent = static_cast<std::uint32_t>(normalised(a).exponent);
    const std::uint32_t number = a == 0 ? 0x80000000u : exponent;
    return abs_of(a) < kInfinity<T> ? number : 0x7fffffffu;
  }
};
struct Logb {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const T exponent = static_cast<T>(normalised(a).exponent);
    const T number = a == 0 ? -kInfinity<T> : exponent;
    return abs_of(a) < kInfinity<T> ? number : a * a;
  }
};

struct Ldexp {
  /// Every float times 2^-300 to 2^300 is a normal double, so that only the conversion back rounds;
  /// the limits are past overflow and underflow.
  static TRANSPIRE_INLINE float lane(float a, std::uint32_t b) {
    const auto k = static_cast<std::int32_t>(b);
    const std::int32_t least = k < -300 ? -300 : k;
    const std::int32_t most = least > 300 ? 300 : least;
    return static_cast<float>(static_cast<double>(a) * power_of_two(static_cast<double>(most)));
  }
  /// Three factors reach from the largest number below the smallest and back. A step down is at
  /// most 2^-969: when more steps follow it and its result is subnormal, the whole result is 0.
  static TRANSPIRE_INLINE double lane(double a, std::uint32_t b) {
    double left = limit(static_cast<double>(static_cast<std::int32_t>(b)), -2200.0, 2200.0);
    for (int i = 0; i < 3; ++i) {
      const double down = left < -1022 ? -969 : left;
      const double step = down > 1023 ? 1023 : down;
      a *= power_of_two(step);
      left -= step;
    }
    return a;
  }
};

struct Nextafter {
  static constexpr bool kRare = true;
  static constexpr bool kTakesHalf = true;
  /// The representations of numbers of one sign are ordered as they are.
  template <class T, class Int>
  static TRANSPIRE_INLINE Int step(T a, T b, Int a_bits, Int b_bits) {
    constexpr Int kSign = static_cast<Int>(Int{1} << (sizeof(Int) * 8 - 1));
    const Int up = static_cast<Int>(a_bits + 1), down = static_cast<Int>(a_bits - 1);
    const Int moved = (a < b) == ((a_bits & kSign) == 0) ? up : down;
    const Int from_zero = static_cast<Int>((b_bits & kSign) | 1);
    const Int changed = a == 0 ? from_zero : moved;
    return a == b ? b_bits : changed;
  }
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return nan_if(is_nan(a) | is_nan(b), from_bits(step(a, b, bits_of(a), bits_of(b))));
  }
  static TRANSPIRE_INLINE Half lane(Half a, Half b) {
    const float from = to_float(a), to = to_float(b);
    const std::uint16_t bits = step(from, to, a.bits, b.bits);
    return {is_nan(from) | is_nan(to) ? std::uint16_t{0x7e00} : bits};
  }
};

/// The bits of a quiet NaN with T's width that carries the low bits of the code.
struct Nan {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    constexpr int kFraction = sizeof(T) == 2 ? 10 : sizeof(T) == 4 ? 23 : 52;
    constexpr T kQuiet =
        static_cast<T>((T{0} - T{1}) << (kFraction - 1) & static_cast<T>(~T{0}) >> 1);
    return static_cast<T>(kQuiet | (a & static_cast<T>((T{1} << kFraction) - 1)));
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
