// For machines that lack instructions, or whose instructions give other bits than x86: the parts of vm/simd/machine.h
// in plain code. A machine's header takes what it needs of it.
#pragma once

#include "vm/simd/batch.h"
#include "vm/simd/predicate.h"
#include "vm/simd/soft_half.h"
#include "vm/simd/vector_masks.h"
#include "vm/simd/x86_nan.h"

namespace transpire::vm::TRANSPIRE_ISA {

struct Nans {
  template <class T>
  static TRANSPIRE_INLINE LaneMask<T> ordered(Vector<T> a, Vector<T> b) {
    return (a == a) & (b == b);
  }
  template <class T>
  static TRANSPIRE_INLINE LaneMask<T> unordered(Vector<T> a, Vector<T> b) {
    return ~ordered(a, b);
  }
};

template <Predicate kPredicate, class T>
TRANSPIRE_INLINE LaneMask<T> compare_vectors(Vector<T> a, Vector<T> b) {
  if constexpr (kPredicate < Predicate::kOrdEqual)
    return compare_integers<kPredicate>(a, b);
  else
    return compare_floats<kPredicate, Nans>(a, b);
}

TRANSPIRE_INLINE Vector<std::uint8_t> spread_bytes(std::uint32_t word) {
  const auto low = static_cast<std::uint8_t>(word), high = static_cast<std::uint8_t>(word >> 8);
  return from_native<std::uint8_t>(Native<std::uint8_t>{
      low, low, low, low, low, low, low, low, high, high, high, high, high, high, high, high});
}

// ---- NaN results --------------------------------------------------------------------------------

using vm::with_x86_nan;
template <class T>
TRANSPIRE_INLINE Vector<T> with_x86_nan(Vector<T> a, Vector<T> b, Vector<T> result) {
  const auto quieted = [](Vector<T> nan) TRANSPIRE_INLINE_LAMBDA {
    return bits_as<T>(bits_as<NanBits<T>>(nan) | splat(kQuietBit<T>));
  };
  const Vector<T> none = bits_as<T>(splat(kDefaultNan<T>));
  const Vector<T> of_b = simd::select(nan_lanes(b), quieted(b), none);
  const Vector<T> nan = simd::select(nan_lanes(a), quieted(a), of_b);
  return simd::select(nan_lanes(result), nan, result);
}

// ---- Conversions --------------------------------------------------------------------------------

/// Machines differ beyond the range of int32, and for a NaN.
TRANSPIRE_INLINE Vector<std::int32_t> truncated(Vector<float> x) {
  const LaneMask<float> inside = (x < 0x1p31f) & (x >= -0x1p31f);
  const Vector<std::int32_t> good =
      simd::batch_cast<std::int32_t>(simd::select(inside, x, Vector<float>(0)));
  return simd::select(mask_as<std::int32_t>(inside), good, splat(std::int32_t{-0x7fffffff - 1}));
}

// ---- Operations and conversions of machines that take these ------------------------------------

template <class T>
TRANSPIRE_INLINE T ordered_add(T a, T b) {
  return with_x86_nan(a, b, a + b);
}
template <class T>
TRANSPIRE_INLINE T ordered_subtract(T a, T b) {
  return with_x86_nan(a, b, a - b);
}
template <class T>
TRANSPIRE_INLINE T ordered_multiply(T a, T b) {
  return with_x86_nan(a, b, a * b);
}
template <class T>
TRANSPIRE_INLINE T ordered_divide(T a, T b) {
  return with_x86_nan(a, b, a / b);
}
template <class T>
TRANSPIRE_INLINE Vector<T> ordered_divide(Vector<T> a, Vector<T> b) {
  return with_x86_nan(a, b, quotient(a, b));
}
template <class T>
TRANSPIRE_INLINE T default_nan() {
  return __builtin_bit_cast(T, kDefaultNan<T>);
}

TRANSPIRE_INLINE float to_float(Half half) { return half_to_float(half.bits); }
TRANSPIRE_INLINE Half to_half(float value) { return {half_from_float(value)}; }
TRANSPIRE_INLINE Half to_half(float value, Rounding mode) { return {soft_to_half(value, mode)}; }
TRANSPIRE_INLINE void widen_halves(float* d, const Half* a) {
  for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = half_to_float(a[i].bits);
}
TRANSPIRE_INLINE void narrow_to_halves(Half* d, const float* a) {
  for (std::uint32_t i = 0; i < kLanes; ++i) d[i].bits = half_from_float(a[i]);
}

TRANSPIRE_INLINE WideFloats widen(Vector<float> x) { return widen_parts(x); }
TRANSPIRE_INLINE Vector<float> narrow(Vector<double> low, Vector<double> high) {
  return join_narrowed(low, high);
}

}  // namespace transpire::vm::TRANSPIRE_ISA
