// Lane functions of arithmetic.def. Included by one translation unit per instruction set, in its
// namespace. Integers are unsigned here; signed meaning is by casts. Division by zero and INT_MIN /
// -1 have the results that arithmetic.def documents; the findings about them are separate checks.
#pragma once

#include "vm/simd/lane.h"

namespace transpire::vm::TRANSPIRE_ISA {

struct IAdd {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct ISub {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(a - b);
  }
};
struct IMul {
  template <class T>  // 1u: two 16-bit factors would be promoted to int and overflow it
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(1u * a * b);
  }
};
struct SMulHigh {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const auto wide = static_cast<SignedTwice<T>>(static_cast<Signed<T>>(a));
    return static_cast<T>(wide * static_cast<Signed<T>>(b) >> kWidth<T>);
  }
};
struct UMulHigh {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(static_cast<Twice<T>>(1u * static_cast<Twice<T>>(a) * b) >> kWidth<T>);
  }
};
struct UAddCarry {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(a + b) < a;
  }
};
struct USubBorrow {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return a < b;
  }
};

/// The float whose division gives exact integer quotients once truncated: with n-bit operands a
/// quotient that is no integer is at least 2^-n (relative to the dividend's 2^n, 2^-2n) away from
/// the next one.
template <class T>
struct QuotientType {
  using type = float;
};
template <>
struct QuotientType<std::uint32_t> {
  using type = double;
};

/// Unsigned and signed division of 8 to 32 bits through floats; g++ has no vector integer division.
template <class T>
TRANSPIRE_INLINE T divide_unsigned(T a, T b) {
  using F = typename QuotientType<T>::type;
  const T divisor = b == 0 ? T{1} : b;
  const T quotient = static_cast<T>(static_cast<F>(a) / static_cast<F>(divisor));
  return b == 0 ? T{0} : quotient;
}
template <class T>
TRANSPIRE_INLINE T divide_signed(T a, T b) {
  using F = typename QuotientType<T>::type;
  using S = Signed<T>;
  constexpr T kMin = T{1} << (kWidth<T> - 1);
  const bool overflow = (a == kMin) & (b == static_cast<T>(-1));
  const T divisor = (b == 0) | overflow ? T{1} : b;
  const F quotient = static_cast<F>(static_cast<S>(a)) / static_cast<F>(static_cast<S>(divisor));
  return b == 0 ? T{0} : static_cast<T>(static_cast<S>(quotient));
}
template <>
TRANSPIRE_INLINE std::uint64_t divide_unsigned(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : a / b;
}
template <>
TRANSPIRE_INLINE std::uint64_t divide_signed(std::uint64_t a, std::uint64_t b) {
  if (b + 1 <= 1) return 0 - (a & b);  // b is 0 or -1
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b));
}

/// 64-bit division when both operands are below 2^52 (indices and sizes are): through double, as
/// integer instruction sets before AVX-512 have no conversion of 64-bit integers. x + 2^52 has x in
/// its low bits.
struct NarrowDivision {
  double dividend, divisor, quotient;
  TRANSPIRE_INLINE NarrowDivision(std::uint64_t a, std::uint64_t b) {
    dividend = to_double(a);
    divisor = to_double(b == 0 ? 1 : b);
    const double exact = dividend / divisor;
    const double nearest = (exact + 0x1p52) - 0x1p52;
    quotient = nearest > exact ? nearest - 1 : nearest;
  }
  static TRANSPIRE_INLINE double to_double(std::uint64_t value) {
    return __builtin_bit_cast(double, value | 0x4330000000000000u) - 0x1p52;
  }
  static TRANSPIRE_INLINE std::uint64_t to_integer(double value) {
    return __builtin_bit_cast(std::uint64_t, value + 0x1p52) & 0x000fffffffffffffu;
  }
  TRANSPIRE_INLINE std::uint64_t remainder() const {
    return to_integer(dividend - quotient * divisor);
  }
};

struct WideQuotient {
  template <class T>
    requires(sizeof(T) == 8)
  static TRANSPIRE_INLINE T excess(T a, T b) {
    return (a | b) >> 52;
  }
  static TRANSPIRE_INLINE std::uint64_t narrow_lane(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : NarrowDivision::to_integer(NarrowDivision(a, b).quotient);
  }
};
struct WideRemainder {
  template <class T>
    requires(sizeof(T) == 8)
  static TRANSPIRE_INLINE T excess(T a, T b) {
    return (a | b) >> 52;
  }
  static TRANSPIRE_INLINE std::uint64_t narrow_lane(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? a : NarrowDivision(a, b).remainder();
  }
};
struct UDiv : WideQuotient {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return divide_unsigned(a, b);
  }
};
struct SDiv : WideQuotient {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return divide_signed(a, b);
  }
};
struct UMod : WideRemainder {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(a - 1u * divide_unsigned(a, b) * b);
  }
};
struct SRem : WideRemainder {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(a - 1u * divide_signed(a, b) * b);
  }
};
struct SMod : WideRemainder {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T remainder = SRem::lane(a, b);
    const bool adjust = (remainder != 0) & (static_cast<Signed<T>>(remainder ^ b) < 0);
    return static_cast<T>(remainder + (adjust ? b : T{0}));
  }
};

struct SNegate {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return static_cast<T>(0u - a);
  }
};
struct FNegate {
  static constexpr bool kTakesHalf = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return __builtin_bit_cast(T, static_cast<Bits<T>>(to_bits(a) ^ Bits<T>{1} << (kWidth<T> - 1)));
  }
};
struct FAdd {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return ordered_add(a, b);
  }
  static TRANSPIRE_INLINE auto vector(Vector<float> a, Vector<float> b) {
    return ordered_add(a, b);
  }
  static TRANSPIRE_INLINE auto vector(Vector<double> a, Vector<double> b) {
    return ordered_add(a, b);
  }
};
struct FSub {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return ordered_subtract(a, b);
  }
};
struct FMul {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return ordered_multiply(a, b);
  }
  static TRANSPIRE_INLINE auto vector(Vector<float> a, Vector<float> b) {
    return ordered_multiply(a, b);
  }
  static TRANSPIRE_INLINE auto vector(Vector<double> a, Vector<double> b) {
    return ordered_multiply(a, b);
  }
};
/// For lanes whose meaning is also that of whole vectors.
template <class Fn>
struct OneMeaning {
  template <class V>
  static TRANSPIRE_INLINE V vector(V a, V b, V c) {
    return Fn::lane(a, b, c);
  }
};
// A product and the sum or difference that uses it, both rounded: the result of two instructions,
// without a row between them. The order of the operands decides which NaN results.
struct FMulPlus : OneMeaning<FMulPlus> {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b, T c) {
    return ordered_add(ordered_multiply(a, b), c);
  }
};
struct FPlusMul : OneMeaning<FPlusMul> {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b, T c) {
    return ordered_add(a, ordered_multiply(b, c));
  }
};
struct FMulMinus : OneMeaning<FMulMinus> {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b, T c) {
    return ordered_subtract(ordered_multiply(a, b), c);
  }
};
struct FMinusMul : OneMeaning<FMinusMul> {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b, T c) {
    return ordered_subtract(a, ordered_multiply(b, c));
  }
};
struct FDiv {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return ordered_divide(a, b);
  }
};

TRANSPIRE_INLINE float library_fmod(float a, float b) { return __builtin_fmodf(a, b); }
TRANSPIRE_INLINE double library_fmod(double a, double b) { return __builtin_fmod(a, b); }

struct FRem {
  static constexpr bool kRare = true;
  /// NaN operands and results are those of a / b; the library's may differ between versions.
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const bool invalid =
        !(__builtin_fabs(a) <= __builtin_fabs(max_finite<T>())) | !(b < 0 || b > 0);
    if (invalid) [[unlikely]]
      return invalid_result(a, b);
    return __builtin_fabs(a) < __builtin_fabs(b) ? a : library_fmod(a, b);
  }
  template <class T>
  static consteval T max_finite() {
    return sizeof(T) == 4 ? T(0x1.fffffep127) : T(0x1.fffffffffffffp1023);
  }
  /// a is infinite or NaN, or b is zero or NaN.
  template <class T>
  static TRANSPIRE_INLINE T invalid_result(T a, T b) {
    if ((a != a) | (b != b)) return ordered_subtract(a, b);
    return default_nan<T>();
  }
};
struct FMod {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T remainder = FRem::lane(a, b);
    if (remainder == 0)
      return sizeof(T) == 4 ? T(__builtin_copysignf(0, b)) : T(__builtin_copysign(0, b));
    return (remainder < 0) != (b < 0) && remainder == remainder ? remainder + b : remainder;
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA
