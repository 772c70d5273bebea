// Lane functions of bit.def. Included by one translation unit per instruction set, in its
// namespace.
#pragma once

#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {

struct ShiftLeftLogical {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(a << (b & (kWidth<T> - 1)));
  }
};
struct ShiftRightLogical {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(a >> (b & (kWidth<T> - 1)));
  }
};
struct ShiftRightArithmetic {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return static_cast<T>(static_cast<Signed<T>>(a) >> (b & (kWidth<T> - 1)));
  }
};
struct BitwiseOr {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return a | b;
  }
};
struct BitwiseXor {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return a ^ b;
  }
};
struct BitwiseAnd {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b) {
    return a & b;
  }
};
struct Not {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return static_cast<T>(~a);
  }
};

/// The value whose bytes are all `byte`.
template <class T>
consteval T repeat(std::uint8_t byte) {
  return static_cast<T>(static_cast<T>(~T{0}) / 0xff * byte);
}

struct BitCount {
  /// Sums of neighbours in ever wider fields: vector code on every instruction set.
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    T sum = static_cast<T>(a - ((a >> 1) & repeat<T>(0x55)));
    sum = static_cast<T>((sum & repeat<T>(0x33)) + ((sum >> 2) & repeat<T>(0x33)));
    sum = static_cast<T>((sum + (sum >> 4)) & repeat<T>(0x0f));
    if constexpr (kWidth < T >> 8) sum = static_cast<T>(sum + (sum >> 8));
    if constexpr (kWidth < T >> 16) sum += sum >> 16;
    if constexpr (kWidth < T >> 32) sum += sum >> 32;
    return static_cast<T>(sum & (2 * kWidth<T> - 1));
  }
};
struct BitReverse {
  /// Swaps single bits, pairs, nibbles, bytes, ...
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    T d = static_cast<T>(((a >> 1) & repeat<T>(0x55)) | ((a & repeat<T>(0x55)) << 1));
    d = static_cast<T>(((d >> 2) & repeat<T>(0x33)) | ((d & repeat<T>(0x33)) << 2));
    d = static_cast<T>(((d >> 4) & repeat<T>(0x0f)) | ((d & repeat<T>(0x0f)) << 4));
    if constexpr (sizeof(T) == 2)
      return __builtin_bswap16(d);
    else if constexpr (sizeof(T) == 4)
      return __builtin_bswap32(d);
    else if constexpr (sizeof(T) == 8)
      return __builtin_bswap64(d);
    else
      return d;
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA
