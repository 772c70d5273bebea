// Half to and from float and double, for lanes and rows, rounded once. The vector instructions
// (F16C) and the integer code of the baseline (transpire/half.hpp) give the same bits, NaNs included.
#pragma once

#include "transpire/half.hpp"
#include "vm/simd/rounding.h"
#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// Float to half in any rounding mode, for the rare modes of the baseline: the nearest, or its neighbour where
/// the mode leads to that one.
TRANSPIRE_INLINE std::uint16_t soft_to_half(float value, Rounding mode) {
  constexpr std::uint32_t kMagnitude = 0x7fffffffu, kInfinity = 0x7f800000u;
  const std::uint16_t nearest = half_from_float(value);
  const std::uint32_t exact = __builtin_bit_cast(std::uint32_t, value) & kMagnitude;
  if (mode == Rounding::kRte || exact >= kInfinity) return nearest;
  const std::uint32_t rounded =
      __builtin_bit_cast(std::uint32_t, half_to_float(nearest)) & kMagnitude;
  const bool away = mode == ((nearest & 0x8000u) != 0 ? Rounding::kRtn : Rounding::kRtp);
  return static_cast<std::uint16_t>(away ? nearest + (rounded < exact)
                                         : nearest - (rounded > exact));
}

using half_detail::to_float_odd;

#if defined(TRANSPIRE_ISA_BASELINE)
TRANSPIRE_INLINE float to_float(Half half) { return half_to_float(half.bits); }
TRANSPIRE_INLINE Half to_half(float value) { return {half_from_float(value)}; }
TRANSPIRE_INLINE Half to_half(float value, Rounding mode) { return {soft_to_half(value, mode)}; }
#else
TRANSPIRE_INLINE float to_float(Half half) { return _cvtsh_ss(half.bits); }
TRANSPIRE_INLINE Half to_half(float value) { return {_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT)}; }
TRANSPIRE_INLINE Half to_half(float value, Rounding mode) {
  switch (mode) {
    case Rounding::kRte:
      break;
    case Rounding::kRtz:
      return {_cvtss_sh(value, _MM_FROUND_TO_ZERO)};
    case Rounding::kRtp:
      return {_cvtss_sh(value, _MM_FROUND_TO_POS_INF)};
    case Rounding::kRtn:
      return {_cvtss_sh(value, _MM_FROUND_TO_NEG_INF)};
  }
  return to_half(value);
}
#endif
TRANSPIRE_INLINE Half to_half(double value) { return to_half(to_float_odd(value)); }
TRANSPIRE_INLINE Half to_half(double value, Rounding mode) {
  return to_half(to_float_odd(value), mode);
}

#if defined(TRANSPIRE_ISA_AVX512)
/// g++ 12 warns about the unmasked forms of some intrinsics (an undefined merge operand).
inline constexpr __mmask16 kAllLanes = 0xffff;
#endif

/// Rows of kLanes values. Out of line: halves are rare, and every half handler needs these.
__attribute__((noinline)) static inline void widen_row(float* d, const Half* a) {
#if defined(TRANSPIRE_ISA_BASELINE)
  for (std::uint32_t i = 0; i < kLanes; ++i) d[i] = half_to_float(a[i].bits);
#elif defined(TRANSPIRE_ISA_AVX2)
  for (std::uint32_t i = 0; i < kLanes; i += 8)
    _mm256_store_ps(d + i,
                    _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(a + i))));
#else
  for (std::uint32_t i = 0; i < kLanes; i += 16)
    _mm512_store_ps(
        d + i, _mm512_maskz_cvtph_ps(kAllLanes,
                                     _mm256_load_si256(reinterpret_cast<const __m256i*>(a + i))));
#endif
}
__attribute__((noinline)) static inline void narrow_row(Half* d, const float* a) {
#if defined(TRANSPIRE_ISA_BASELINE)
  for (std::uint32_t i = 0; i < kLanes; ++i) d[i].bits = half_from_float(a[i]);
#elif defined(TRANSPIRE_ISA_AVX2)
  for (std::uint32_t i = 0; i < kLanes; i += 8)
    _mm_store_si128(reinterpret_cast<__m128i*>(d + i), _mm256_cvtps_ph(_mm256_load_ps(a + i), 0));
#else
  for (std::uint32_t i = 0; i < kLanes; i += 16)
    _mm256_store_si256(reinterpret_cast<__m256i*>(d + i),
                       _mm512_maskz_cvtps_ph(kAllLanes, _mm512_load_ps(a + i), 0));
#endif
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
