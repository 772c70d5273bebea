// Lane functions of rounded.def. Included by one translation unit per instruction set, in its
// namespace. The rounded ones compute in the machine's rounding mode, which map_handler sets for
// them (`kRounds`); so nothing in them may be computed when compiling, or by code that relies on
// rounding to nearest.
#pragma once

#include "vm/simd/half.h"

namespace transpire::vm::TRANSPIRE_ISA {

struct InMode {
  static constexpr bool kRare = true;
  static constexpr bool kRounds = true;
};

/// The NaN that math functions give: positive, quiet, no payload.
template <class T>
TRANSPIRE_INLINE T plain_nan_of(T value) {
  constexpr T kNan = sizeof(T) == 4 ? T(__builtin_nanf("")) : T(__builtin_nan(""));
  return value == value ? value : kNan;
}

struct FAddRounded : InMode {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return ordered_add(a, b);
  }
};
struct FSubRounded : InMode {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return ordered_subtract(a, b);
  }
};
struct FMulRounded : InMode {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return ordered_multiply(a, b);
  }
};
struct FDivRounded : InMode {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return ordered_divide(a, b);
  }
};
/// The library's function where there is no instruction: it is correctly rounded in every mode.
struct FmaRounded : InMode {
  static TRANSPIRE_INLINE float lane(float a, float b, float c) {
    return plain_nan_of(__builtin_fmaf(a, b, c));
  }
  static TRANSPIRE_INLINE double lane(double a, double b, double c) {
    return plain_nan_of(__builtin_fma(a, b, c));
  }
};
struct SqrtRounded : InMode {
  static TRANSPIRE_INLINE float lane(float a) { return plain_nan_of(__builtin_sqrtf(a)); }
  static TRANSPIRE_INLINE double lane(double a) { return plain_nan_of(__builtin_sqrt(a)); }
};

struct FlushDenorm {
  static constexpr bool kTakesHalf = true;
  template <class Bits>
  static TRANSPIRE_INLINE Bits flushed(Bits bits, Bits exponent) {
    constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
    return static_cast<Bits>(bits & ((bits & exponent) == 0 ? kSign : static_cast<Bits>(~Bits{0})));
  }
  static TRANSPIRE_INLINE Half lane(Half a) { return {flushed<std::uint16_t>(a.bits, 0x7c00)}; }
  static TRANSPIRE_INLINE float lane(float a) {
    return __builtin_bit_cast(float, flushed(__builtin_bit_cast(std::uint32_t, a), 0x7f800000u));
  }
  static TRANSPIRE_INLINE double lane(double a) {
    return __builtin_bit_cast(
        double, flushed(__builtin_bit_cast(std::uint64_t, a), std::uint64_t{0x7ff0000000000000}));
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA
