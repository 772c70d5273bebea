// Native vectors of floats for the functions of extinst/float_math.h: their bits, rows of doubles
// for the steps that need them, polynomials.
//
// Written with vectors and not with lanes, because g++ 12 turns a loop over a lane function with
// several selections into masks of masks: log as a loop takes 1.4 times as long. A comparison of
// vectors gives a vector of 0 and -1, `mask ? a : b` selects by lane, and constants are broadcast.
// The same source gives the same bits at every width (extinst/lane_base.h says why).
#pragma once

#include <utility>

#include "extinst/lane_base.h"
#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

using Floats = Vector<float>;
using Doubles = Vector<double>;
using Words = Vector<std::uint32_t>;
using Ints = Vector<std::int32_t>;

TRANSPIRE_INLINE Words bits_of(Floats x) { return reinterpret_cast<Words>(x); }
TRANSPIRE_INLINE Ints signed_bits_of(Floats x) { return reinterpret_cast<Ints>(x); }
TRANSPIRE_INLINE Floats from_bits(Words bits) { return reinterpret_cast<Floats>(bits); }
TRANSPIRE_INLINE Floats to_floats(Ints x) { return __builtin_convertvector(x, Floats); }

inline constexpr std::uint32_t kFloatSign = kSignBit<float>;

TRANSPIRE_INLINE Floats abs_of(Floats x) { return from_bits(bits_of(x) & ~kFloatSign); }
/// |x| with the sign of y.
TRANSPIRE_INLINE Floats with_sign(Floats x, Floats y) {
  return from_bits((bits_of(x) & ~kFloatSign) | (bits_of(y) & kFloatSign));
}
/// `result`, or the NaN where x is one.
TRANSPIRE_INLINE Floats nan_where_nan(Floats x, Floats result) {
  return x != x ? splat(kNan<float>) : result;
}

/// The lanes of a vector of floats, widened: first half, second half.
struct WideFloats {
  Doubles low, high;
};
#if defined(TRANSPIRE_ISA_BASELINE)
TRANSPIRE_INLINE WideFloats widen(Floats x) {
  const auto v = reinterpret_cast<__m128>(x);
  return {Doubles(_mm_cvtps_pd(v)), Doubles(_mm_cvtps_pd(_mm_movehl_ps(v, v)))};
}
/// Rounded to nearest even.
TRANSPIRE_INLINE Floats narrow(Doubles low, Doubles high) {
  return Floats(_mm_movelh_ps(_mm_cvtpd_ps(reinterpret_cast<__m128d>(low)),
                              _mm_cvtpd_ps(reinterpret_cast<__m128d>(high))));
}
#else
// Not the intrinsics: g++ 12 warns about its own of 512 bits.
typedef float HalfFloats __attribute__((vector_size(kVectorBytes / 2)));
template <int... kIndex>
TRANSPIRE_INLINE WideFloats widen(Floats x, std::integer_sequence<int, kIndex...>) {
  constexpr int kHalf = sizeof...(kIndex);
  const HalfFloats low = __builtin_shufflevector(x, x, kIndex...);
  const HalfFloats high = __builtin_shufflevector(x, x, (kIndex + kHalf)...);
  return {__builtin_convertvector(low, Doubles), __builtin_convertvector(high, Doubles)};
}
TRANSPIRE_INLINE WideFloats widen(Floats x) {
  return widen(x, std::make_integer_sequence<int, kVectorLanes<double> >{});
}
template <int... kIndex>
TRANSPIRE_INLINE Floats joined(HalfFloats low, HalfFloats high,
                               std::integer_sequence<int, kIndex...>) {
  return __builtin_shufflevector(low, high, kIndex...);
}
/// Rounded to nearest even.
TRANSPIRE_INLINE Floats narrow(Doubles low, Doubles high) {
  return joined(__builtin_convertvector(low, HalfFloats), __builtin_convertvector(high, HalfFloats),
                std::make_integer_sequence<int, kVectorLanes<float> >{});
}
#endif

/// terms[0] + x terms[1] + x^2 terms[2] + ..., by Estrin's scheme: neighbours are paired, and then
/// the pairs, with powers of x that double. Without fused operations Horner's rule is a chain so
/// long that the processor's window holds too few vectors to hide it (log takes 1.25 times as
/// long).
template <class V, std::size_t kCount>
TRANSPIRE_INLINE V estrin(V x, const V (&terms)[kCount]) {
  if constexpr (kCount == 1) {
    return terms[0];
  } else {
    V pairs[(kCount + 1) / 2];
    for (std::size_t i = 0; i < kCount / 2; ++i) pairs[i] = terms[2 * i] + x * terms[2 * i + 1];
    if constexpr (kCount % 2 != 0) pairs[kCount / 2] = terms[kCount - 1];
    return estrin(x * x, pairs);
  }
}
/// c0 + c1 x + c2 x^2 + ...
template <class... C>
TRANSPIRE_INLINE Floats polynomial(Floats x, C... c) {
  return estrin(x, {splat(static_cast<float>(c))...});
}
template <class... C>
TRANSPIRE_INLINE Doubles polynomial(Doubles x, C... c) {
  return estrin(x, {splat(static_cast<double>(c))...});
}

/// Adding this to |x| < 2^22 rounds x to an integer (nearest even), in the low bits of the sum.
inline constexpr float kFloatIntegerShift = 0x1.8p23f;

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
