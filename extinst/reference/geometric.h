// Correctly rounded geometric functions: the exact value of the whole formula, rounded once.
// Operands are bits of the kind; mpfr_library() must not be null.
//
// A NaN component makes the result a NaN, also beside an infinite one.
#pragma once

#include <span>

#include "extinst/reference/format.h"

namespace transpire::extinst::reference {

/// a0*a1 + a2*a3 + ...; a sum of exactly 0 is positive, unless all products are -0.
Bits dot(vm::Kind kind, vm::Rounding rounding, std::span<const Bits> a);
/// sqrt(a0^2 + a1^2 + ...)
Bits length(vm::Kind kind, vm::Rounding rounding, std::span<const Bits> a);
/// sqrt((a0 - a1)^2 + (a2 - a3)^2 + ...)
Bits distance(vm::Kind kind, vm::Rounding rounding, std::span<const Bits> a);
/// a0 / sqrt(a1^2 + a2^2 + ...), where a0 is one of the others. A zero vector gives a0; where some
/// components are infinite, they count as 1 and the others as 0.
Bits normalize(vm::Kind kind, vm::Rounding rounding, std::span<const Bits> a);

}  // namespace transpire::extinst::reference
