// Lane functions of conversion.def. Included by one translation unit per instruction set, in its
// namespace. Every result is rounded once, in every mode.
#pragma once

#include "vm/simd/half.h"

namespace transpire::vm::TRANSPIRE_ISA {

struct Truncate {
  static consteval bool exists(Kind from, Kind to) {
    return is_int(from) && lane_bytes(to) < lane_bytes(from);
  }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    return static_cast<To>(a);
  }
};
struct ZeroExtend {
  static consteval bool exists(Kind from, Kind to) {
    return is_int(from) && lane_bytes(to) > lane_bytes(from);
  }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    return a;
  }
};
struct SignExtend {
  static consteval bool exists(Kind from, Kind to) {
    return is_int(from) && lane_bytes(to) > lane_bytes(from);
  }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    return static_cast<To>(static_cast<Signed<From>>(a));
  }
};

template <class F>
inline constexpr unsigned kFractionBits = sizeof(F) == 4 ? 24 : 53;

/// 2 to the power kExponent.
template <class F, unsigned kExponent>
inline constexpr F kPower = static_cast<F>(static_cast<unsigned __int128>(1) << kExponent);

/// At least as wide as int: there are no vector conversions from floats to narrower integers.
template <class T>
using AtLeast32 = std::conditional_t<(sizeof(T) < 4), std::int32_t, T>;

/// The order of the choices matters: with all three before the conversion, g++ 12 makes branches of
/// them and then twice as much vector code. `inside` is not used where it is out of range.
struct ConvertFToS {
  static consteval bool exists(Kind from, Kind) { return is_float(from); }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    constexpr From kLimit = kPower<From, kWidth<To> - 1>;
    constexpr To kMax = static_cast<To>(~To{0}) >> 1;
    const From value = a > -kLimit ? a : -kLimit;
    const To inside = static_cast<To>(static_cast<AtLeast32<Signed<To>>>(value));
    const To result = a >= kLimit ? kMax : inside;
    return a == a ? result : To{0};
  }
};
struct ConvertFToU {
  static consteval bool exists(Kind from, Kind) { return is_float(from); }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    constexpr From kLimit = kPower<From, kWidth<To>>;
    const From value = a > 0 ? a : From{0};  // also of a NaN
    const To inside = static_cast<To>(static_cast<AtLeast32<To>>(value));
    return a >= kLimit ? static_cast<To>(~To{0}) : inside;
  }
};

/// An integer as a float, in the modes other than RTE: cut to the float's bits, then one up where
/// the mode leads away from zero.
template <class F>
TRANSPIRE_INLINE F round_integer(bool negative, std::uint64_t magnitude, Rounding mode) {
  constexpr unsigned kBits = kFractionBits<F>;
  F value = static_cast<F>(magnitude);
  if (magnitude >> kBits != 0) {
    const unsigned lost = 64 - kBits - static_cast<unsigned>(__builtin_clzll(magnitude));
    const bool away = mode == (negative ? Rounding::kRtn : Rounding::kRtp);
    const std::uint64_t kept = (magnitude >> lost) + (away && magnitude << (64 - lost) != 0);
    value = static_cast<F>(kept) * static_cast<F>(std::uint64_t{1} << lost);
  }
  return negative ? -value : value;
}

/// 64-bit integers as doubles by halves, both exact, added with the only rounding: integer
/// instruction sets of x86 before AVX-512 have no such conversion. 0x433 and 0x453 are the exponents of
/// 2^52 and 2^84.
TRANSPIRE_INLINE double unsigned_to_double(std::uint64_t a) {
  if constexpr (kHasWideConversion) return static_cast<double>(a);
  const std::uint64_t low = (a & 0xffffffffu) | 0x4330000000000000u;
  const std::uint64_t high = (a >> 32) | 0x4530000000000000u;
  return (__builtin_bit_cast(double, high) - 0x1.00000001p84) + __builtin_bit_cast(double, low);
}
TRANSPIRE_INLINE double signed_to_double(std::uint64_t a) {
  if constexpr (kHasWideConversion) return static_cast<double>(static_cast<std::int64_t>(a));
  const std::uint64_t low = (a & 0xffffffffu) | 0x4330000000000000u;
  const std::uint64_t high = (a >> 32) ^ 0x4530000080000000u;
  return (__builtin_bit_cast(double, high) - 0x1.00000801p84) + __builtin_bit_cast(double, low);
}

/// Beyond every finite half and within the integers that are exact as floats.
inline constexpr std::int32_t kAboveHalf = 1 << 20;

struct ConvertUToF {
  static consteval bool exists(Kind from, Kind) { return is_int(from); }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    if constexpr (sizeof(From) == 8 && sizeof(To) == 8)
      return unsigned_to_double(a);
    else
      return static_cast<To>(a);
  }
  template <class To, class From>
    requires(kWidth<From> > kFractionBits<To>)
  static TRANSPIRE_INLINE To lane(From a, Rounding mode) {
    return round_integer<To>(false, a, mode);
  }
  template <class From>
  static TRANSPIRE_INLINE float before_half(From a) {
    if constexpr (sizeof(From) < 4)
      return static_cast<float>(a);
    else
      return static_cast<float>(static_cast<std::int32_t>(a < kAboveHalf ? a : kAboveHalf));
  }
};
struct ConvertSToF {
  static consteval bool exists(Kind from, Kind) { return is_int(from); }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    if constexpr (sizeof(From) == 8 && sizeof(To) == 8)
      return signed_to_double(a);
    else
      return static_cast<To>(static_cast<Signed<From>>(a));
  }
  template <class To, class From>
    requires(kWidth<From> > kFractionBits<To>)
  static TRANSPIRE_INLINE To lane(From a, Rounding mode) {
    const auto value =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<Signed<From>>(a)));
    const bool negative = value >> 63 != 0;
    return round_integer<To>(negative, negative ? 0 - value : value, mode);
  }
  template <class From>
  static TRANSPIRE_INLINE float before_half(From a) {
    auto value = static_cast<Signed<From>>(a);
    if constexpr (sizeof(From) >= 4) {
      value = value < kAboveHalf ? value : kAboveHalf;
      value = value > -kAboveHalf ? value : -kAboveHalf;
    }
    return static_cast<float>(static_cast<std::int32_t>(value));
  }
};

struct FConvert {
  static consteval bool exists(Kind from, Kind to) { return is_float(from) && from != to; }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    return static_cast<To>(a);
  }
  /// Double to float: the neighbour of the nearest float where the mode asks for it.
  template <class To, class From>
    requires(sizeof(To) < sizeof(From))
  static TRANSPIRE_INLINE To lane(From a, Rounding mode) {
    const float nearest = static_cast<float>(a);
    const double back = nearest;
    const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, nearest);
    const bool negative = __builtin_signbit(a);
    const bool down = mode == Rounding::kRtn || (mode == Rounding::kRtz && !negative);
    const bool up = mode == Rounding::kRtp || (mode == Rounding::kRtz && negative);
    if (down && back > a) return __builtin_bit_cast(float, negative ? bits + 1 : bits - 1);
    if (up && back < a) return __builtin_bit_cast(float, negative ? bits - 1 : bits + 1);
    return nearest;
  }
  static TRANSPIRE_INLINE float before_half(float a) { return a; }
  static TRANSPIRE_INLINE float before_half(double a) { return to_float_odd(a); }
};

/// Signed a clamped to [low, high] of the result, as far as these are inside the operand's type.
struct SatSConvert {
  static consteval bool exists(Kind from, Kind) { return is_int(from); }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    auto value = static_cast<Signed<From>>(a);
    if constexpr (sizeof(To) < sizeof(From)) {
      constexpr auto kMax = static_cast<Signed<From>>(static_cast<To>(~To{0}) >> 1);
      value = value < kMax ? value : kMax;
      value = value > -kMax - 1 ? value : static_cast<Signed<From>>(-kMax - 1);
    }
    return static_cast<To>(value);
  }
};
struct SatConvertSToU {
  static consteval bool exists(Kind from, Kind) { return is_int(from); }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    auto value = static_cast<Signed<From>>(a);
    value = value > 0 ? value : Signed<From>{0};
    if constexpr (sizeof(To) < sizeof(From)) {
      constexpr auto kMax = static_cast<Signed<From>>(static_cast<To>(~To{0}));
      value = value < kMax ? value : kMax;
    }
    return static_cast<To>(value);
  }
};
struct SatConvertUToS {
  static consteval bool exists(Kind from, Kind) { return is_int(from); }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    if constexpr (sizeof(To) > sizeof(From)) {
      return a;
    } else {
      constexpr auto kMax = static_cast<From>(static_cast<To>(~To{0}) >> 1);
      return static_cast<To>(a < kMax ? a : kMax);
    }
  }
};
struct SatUConvert {
  static consteval bool exists(Kind from, Kind) { return is_int(from); }
  template <class To, class From>
  static TRANSPIRE_INLINE To lane(From a) {
    if constexpr (sizeof(To) < sizeof(From)) {
      constexpr From kMax = static_cast<To>(~To{0});
      return static_cast<To>(a < kMax ? a : kMax);
    } else {
      return a;
    }
  }
};
struct Bitcast {
  static constexpr bool kKeepsBits = true;
  static consteval bool exists(Kind from, Kind to) {
    return from != Kind::kVoid &&
           (from == to || (lane_bytes(from) == lane_bytes(to) && lane_bytes(to) != 0));
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA
