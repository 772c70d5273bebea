// Correctly rounded common functions that take several steps: the exact value of the whole formula,
// rounded once. Operands are bits of the kind; mpfr_library() must not be null. An infinite operand
// gives what the formula's steps give when none of them overflows; a NaN the NaN without payload.
#pragma once

#include <span>

#include "extinst/reference/format.h"

namespace transpire::extinst::reference {

/// a0 * 180 / pi
Bits degrees(vm::Kind kind, vm::Rounding rounding, std::span<const Bits> a);
/// a0 * pi / 180
Bits radians(vm::Kind kind, vm::Rounding rounding, std::span<const Bits> a);
/// a0 + (a1 - a0) * a2
Bits mix(vm::Kind kind, vm::Rounding rounding, std::span<const Bits> a);
/// t * t * (3 - 2 * t), where t is (a2 - a0) / (a1 - a0) in 0..1. For operands that OpenCL leaves
/// undefined: edges in descending order mirror the curve, equal edges make it jump from 0 to 1, and
/// a NaN gives 0.
Bits smoothstep(vm::Kind kind, vm::Rounding rounding, std::span<const Bits> a);

}  // namespace transpire::extinst::reference
