// The vectors of an instruction set, and the operands of a row handler. Rows are 64-byte aligned and hold kLanes
// values, so they are whole vectors.
#pragma once

#include "vm/simd/batch.h"
#include "vm/simd/integers.h"
#include "vm/simd/machine.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// `yes` in the lanes of the mask, `no` in the others; one of them may be a number.
template <class U, class T>
TRANSPIRE_INLINE Vector<T> choose(LaneMask<U> mask, Vector<T> yes, Vector<T> no) {
  return blend(mask_as<T>(mask), yes, no);
}
template <class U, class T>
TRANSPIRE_INLINE Vector<T> choose(LaneMask<U> mask, T yes, Vector<T> no) {
  return blend(mask_as<T>(mask), splat(yes), no);
}
template <class U, class T>
TRANSPIRE_INLINE Vector<T> choose(LaneMask<U> mask, Vector<T> yes, T no) {
  return blend(mask_as<T>(mask), yes, splat(no));
}

/// All bits of the lanes of the mask.
template <class To, class T>
TRANSPIRE_INLINE Vector<To> bits_of_mask(LaneMask<T> mask) {
  return choose(mask, splat(static_cast<To>(~To{0})), splat(To{0}));
}

/// An operand of a row handler: lane i of a row, or the scalar that stands for every lane.
template <class T, bool kScalar>
struct Operand {
  const T* row;
  TRANSPIRE_INLINE T operator[](std::uint32_t lane) const { return row[lane]; }
  TRANSPIRE_INLINE auto vector(std::uint32_t lane) const { return load(row + lane); }
};
template <class T>
struct Operand<T, true> {
  T value;
  TRANSPIRE_INLINE T operator[](std::uint32_t) const { return value; }
  TRANSPIRE_INLINE auto vector(std::uint32_t) const { return splat(value); }
};

template <class T, bool kScalar>
TRANSPIRE_INLINE Operand<T, kScalar> operand(std::byte* r, std::uint32_t offset) {
  if constexpr (kScalar)
    return {scalar<T>(r, offset)};
  else
    return {row<T>(r, offset)};
}

/// A scalar slot is 8 bytes and always holds its value zero-extended.
template <class T>
TRANSPIRE_INLINE void store_scalar(std::byte* r, std::uint32_t offset, T value) {
  scalar<std::uint64_t>(r, offset) = to_bits(value);
}

}  // namespace transpire::vm::TRANSPIRE_ISA
