// Float to half by integer code, for machines and modes without an instruction for it (transpire/half.hpp).
#pragma once

#include "transpire/half.hpp"
#include "vm/simd/isa.h"
#include "vm/simd/rounding.h"

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

}  // namespace transpire::vm::TRANSPIRE_ISA
