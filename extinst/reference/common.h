// Correctly rounded common functions that take several steps: the exact value of the whole formula,
// rounded once. Operands are bits of the kind; mpfr_library() must not be null. Where an operand is
// no number, the result is that of the formula's steps.
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
/// t * t * (3 - 2 * t), where t is (a2 - a0) / (a1 - a0) in 0..1. What OpenCL leaves undefined:
/// edges in descending order mirror it, between equal edges it jumps from 0 to 1.
Bits smoothstep(vm::Kind kind, vm::Rounding rounding, std::span<const Bits> a);

}  // namespace transpire::extinst::reference
