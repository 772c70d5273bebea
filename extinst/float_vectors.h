// Native vectors of floats for the functions of extinst/float_math.h: their bits, rows of doubles
// for the steps that need them, polynomials.
//
// Written with vectors and not with lanes, because g++ 12 turns a loop over a lane function with
// several selections into masks of masks: log as a loop takes 1.4 times as long. A comparison of
// vectors gives a mask, choose() takes one of two values by lane, and constants are broadcast. One
// source gives the same bits at every width (extinst/lane_base.h explains why).
#pragma once

#include "extinst/lane_base.h"
#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

using Floats = Vector<float>;
using Doubles = Vector<double>;
using Words = Vector<std::uint32_t>;
using Ints = Vector<std::int32_t>;
using FloatMask = LaneMask<float>;

TRANSPIRE_INLINE Words bits_of(Floats x) { return bits_as<std::uint32_t>(x); }
TRANSPIRE_INLINE Ints signed_bits_of(Floats x) { return bits_as<std::int32_t>(x); }
TRANSPIRE_INLINE Floats from_bits(Words bits) { return bits_as<float>(bits); }
TRANSPIRE_INLINE Floats to_floats(Ints x) { return simd::batch_cast<float>(x); }

inline constexpr std::uint32_t kFloatSign = kSignBit<float>;

TRANSPIRE_INLINE Floats abs_of(Floats x) { return from_bits(bits_of(x) & ~kFloatSign); }
/// |x| with the sign of y.
TRANSPIRE_INLINE Floats with_sign(Floats x, Floats y) {
  return from_bits((bits_of(x) & ~kFloatSign) | (bits_of(y) & kFloatSign));
}
/// `result`, or the NaN where x is one.
TRANSPIRE_INLINE Floats nan_where_nan(Floats x, Floats result) {
  return choose(nan_lanes(x), kNan<float>, result);
}

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
