// Lane functions of extinst/integer.def. Lanes are unsigned; signed meaning is by cast, wrapping is
// through unsigned arithmetic.
#pragma once

#include "extinst/lane_base.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

/// The signed integer as wide as T, and the integers twice as wide.
template <class T>
struct IntTypes;
template <>
struct IntTypes<std::uint8_t> {
  using Signed = std::int8_t;
  using Wide = std::uint32_t;
  using SignedWide = std::int32_t;
};
template <>
struct IntTypes<std::uint16_t> {
  using Signed = std::int16_t;
  using Wide = std::uint32_t;
  using SignedWide = std::int32_t;
};
template <>
struct IntTypes<std::uint32_t> {
  using Signed = std::int32_t;
  using Wide = std::uint64_t;
  using SignedWide = std::int64_t;
};
template <>
struct IntTypes<std::uint64_t> {
  using Signed = std::int64_t;
  using Wide = unsigned __int128;
  using SignedWide = __int128;
};
template <class T>
using Signed = typename IntTypes<T>::Signed;
template <class T>
using DoubleWidth = typename IntTypes<T>::Wide;
template <class T>
using SignedDoubleWidth = typename IntTypes<T>::SignedWide;

template <class T>
inline constexpr int kWidth = sizeof(T) * 8;
template <class T>
inline constexpr T kSignedMax = static_cast<T>(static_cast<T>(~T{0}) >> 1);
template <class T>
inline constexpr T kUnsignedMax = static_cast<T>(~T{0});

/// All bits the sign bit of a.
template <class T>
TRANSPIRE_INLINE T sign_mask(T a) {
  return static_cast<T>(static_cast<Signed<T>>(a) >> (kWidth<T> - 1));
}

struct SAbs {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const T mask = sign_mask(a);
    return static_cast<T>((a ^ mask) - mask);
  }
};
struct UAbs {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return a;
  }
};

struct SMin {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b) ? a : b;
  }
};
struct SMax {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<Signed<T>>(a) > static_cast<Signed<T>>(b) ? a : b;
  }
};
struct UMin {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return a < b ? a : b;
  }
};
struct UMax {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return a > b ? a : b;
  }
};
struct SClamp {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T low, T high) {
    return SMin::lane(SMax::lane(a, low), high);
  }
};
struct UClamp {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T low, T high) {
    return UMin::lane(UMax::lane(a, low), high);
  }
};

struct SAbsDiff {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(SMax::lane(a, b) - SMin::lane(a, b));
  }
};
struct UAbsDiff {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(UMax::lane(a, b) - UMin::lane(a, b));
  }
};

/// Signed sums overflow when both operands have the sign that the result has not.
struct SAddSat {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T sum = static_cast<T>(a + b);
    const T overflow = sign_mask(static_cast<T>((a ^ sum) & (b ^ sum)));
    const T saturated = static_cast<T>(kSignedMax<T> ^ sign_mask(a));
    return static_cast<T>((sum & ~overflow) | (saturated & overflow));
  }
};
struct SSubSat {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T difference = static_cast<T>(a - b);
    const T overflow = sign_mask(static_cast<T>((a ^ b) & (a ^ difference)));
    const T saturated = static_cast<T>(kSignedMax<T> ^ sign_mask(a));
    return static_cast<T>((difference & ~overflow) | (saturated & overflow));
  }
};
struct UAddSat {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T sum = static_cast<T>(a + b);
    return sum < a ? kUnsignedMax<T> : sum;
  }
};
struct USubSat {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T difference = static_cast<T>(a - b);
    return a < b ? T{0} : difference;
  }
};

/// Averages without a carry out: a + b is 2 (a & b) + (a ^ b), and 2 (a | b) - (a ^ b).
struct SHadd {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>((a & b) + static_cast<T>(static_cast<Signed<T>>(a ^ b) >> 1));
  }
};
struct UHadd {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>((a & b) + static_cast<T>(static_cast<T>(a ^ b) >> 1));
  }
};
struct SRhadd {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>((a | b) - static_cast<T>(static_cast<Signed<T>>(a ^ b) >> 1));
  }
};
struct URhadd {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>((a | b) - static_cast<T>(static_cast<T>(a ^ b) >> 1));
  }
};

/// One bits of a, by adding neighbours in ever wider fields; no instruction below AVX-512 does a
/// row.
template <class T>
TRANSPIRE_INLINE T count_ones(T a) {
  constexpr T kEvery2 = static_cast<T>(kUnsignedMax<T> / 3),
              kEvery4 = static_cast<T>(kUnsignedMax<T> / 5);
  constexpr T kEvery8 = static_cast<T>(kUnsignedMax<T> / 17);
  a = static_cast<T>(a - (a >> 1 & kEvery2));
  a = static_cast<T>((a & kEvery4) + (a >> 2 & kEvery4));
  a = static_cast<T>((a + (a >> 4)) & kEvery8);
  if constexpr (sizeof(T) > 1) a = static_cast<T>(a + (a >> 8));
  if constexpr (sizeof(T) > 2) a = static_cast<T>(a + (a >> 16));
  if constexpr (sizeof(T) > 4) a = static_cast<T>(a + (a >> 32));
  return static_cast<T>(a & 0x7f);
}

/// Zeros above the highest one: fill every bit below it, count what is not filled.
struct Clz {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    a = static_cast<T>(a | a >> 1);
    a = static_cast<T>(a | a >> 2);
    a = static_cast<T>(a | a >> 4);
    if constexpr (sizeof(T) > 1) a = static_cast<T>(a | a >> 8);
    if constexpr (sizeof(T) > 2) a = static_cast<T>(a | a >> 16);
    if constexpr (sizeof(T) > 4) a = static_cast<T>(a | a >> 32);
    return count_ones(static_cast<T>(~a));
  }
};
/// The zeros below the lowest one are the ones of ~a & (a - 1).
struct Ctz {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return count_ones(static_cast<T>(~a & static_cast<T>(a - 1)));
  }
};

struct Rotate {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    const T left = static_cast<T>(b & (kWidth<T> - 1));
    const T right = static_cast<T>((0 - b) & (kWidth<T> - 1));
    return static_cast<T>(static_cast<T>(a << left) | static_cast<T>(a >> right));
  }
};

struct SMadHi {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b, T c) {
    using Wide = SignedDoubleWidth<T>;
    const Wide product = static_cast<Wide>(static_cast<Signed<T>>(a)) * static_cast<Signed<T>>(b);
    return static_cast<T>(static_cast<T>(product >> kWidth<T>) + c);
  }
};
struct UMadHi {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b, T c) {
    const auto product = static_cast<DoubleWidth<T>>(static_cast<DoubleWidth<T>>(a) * b);
    return static_cast<T>(static_cast<T>(product >> kWidth<T>) + c);
  }
};
/// A product and a sum of T fit into twice its width.
struct SMadSat {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b, T c) {
    using Wide = SignedDoubleWidth<T>;
    constexpr Wide kMost = kSignedMax<T>, kLeast = -kMost - 1;
    const Wide product = static_cast<Wide>(static_cast<Signed<T>>(a)) * static_cast<Signed<T>>(b);
    const Wide sum = product + static_cast<Signed<T>>(c);
    const Wide least = sum < kLeast ? kLeast : sum;
    return static_cast<T>(least > kMost ? kMost : least);
  }
};
struct UMadSat {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b, T c) {
    const auto sum = static_cast<DoubleWidth<T>>(static_cast<DoubleWidth<T>>(a) * b + c);
    return sum > kUnsignedMax<T> ? kUnsignedMax<T> : static_cast<T>(sum);
  }
};

/// Operands outside 24 bits are implementation-defined: their high bits are ignored.
struct SMul24 {
  static TRANSPIRE_INLINE std::uint32_t low(std::uint32_t a) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(a << 8) >> 8);
  }
  static TRANSPIRE_INLINE std::uint32_t lane(std::uint32_t a, std::uint32_t b) {
    return low(a) * low(b);
  }
};
struct UMul24 {
  static TRANSPIRE_INLINE std::uint32_t lane(std::uint32_t a, std::uint32_t b) {
    return (a & 0xffffffu) * (b & 0xffffffu);
  }
};
struct SMad24 {
  static TRANSPIRE_INLINE std::uint32_t lane(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return SMul24::lane(a, b) + c;
  }
};
struct UMad24 {
  static TRANSPIRE_INLINE std::uint32_t lane(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return UMul24::lane(a, b) + c;
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
