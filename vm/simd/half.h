// Half to and from float and double, for lanes and rows, rounded once. The machine's instructions and the integer code
// of the baseline (transpire/half.hpp) give the same bits, NaNs included.
#pragma once

#include "vm/simd/soft_half.h"
#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {

TRANSPIRE_INLINE Half to_half(double value) { return to_half(to_float_odd(value)); }
TRANSPIRE_INLINE Half to_half(double value, Rounding mode) {
  return to_half(to_float_odd(value), mode);
}

/// Rows of kLanes values. Out of line: halves are rare, and every half handler needs these.
__attribute__((noinline)) static inline void widen_row(float* d, const Half* a) {
  widen_halves(d, a);
}
__attribute__((noinline)) static inline void narrow_row(Half* d, const float* a) {
  narrow_to_halves(d, a);
}
__attribute__((noinline)) static inline void narrow_row(Half* d, const float* a, Rounding mode) {
  if (mode == Rounding::kRte) return narrow_row(d, a);
  for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = to_half(a[i], mode);
}
__attribute__((noinline)) static inline void widen_row(double* d, const Half* a) {
  alignas(64) float single[kLanes];
  widen_row(single, a);
  for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = single[i];
}
__attribute__((noinline)) static inline void narrow_row(Half* d, const double* a) {
  alignas(64) float single[kLanes];
  for (std::uint32_t i = 0; i < kLanes; ++i) single[i] = to_float_odd(a[i]);
  narrow_row(d, single);
}

}  // namespace transpire::vm::TRANSPIRE_ISA
