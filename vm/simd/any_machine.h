// Machines without a header of their own: what the C library says of their floats. Included by vm/simd/float_control.h;
// their only instruction set is scalar.
#pragma once

#include <cfenv>

#include "vm/simd/instruction_set.h"
#include "vm/simd/rounding.h"

namespace transpire::vm {

/// Whether this processor has what an instruction set needs.
inline bool processor_runs(Isa isa) { return isa == Isa::kScalar; }

/// The rounding mode alone: the C library knows no other. Such a machine keeps denormals unless its host does what no
/// standard describes.
struct FloatControl {
  using Word = int;
  static constexpr Word kUsual = FE_TONEAREST;
  static constexpr Word kFlags = 0;
  static constexpr Word kFlushDenormals = 0;

  // Always inline: instruction sets must not share them out of line.
  [[gnu::always_inline]] static Word read() { return ::fegetround(); }
  [[gnu::always_inline]] static void write(Word word) { ::fesetround(word); }
  [[gnu::always_inline]] static constexpr Word with_rounding(Word, Rounding rounding) {
    return rounding == Rounding::kRtz   ? FE_TOWARDZERO
           : rounding == Rounding::kRtp ? FE_UPWARD
           : rounding == Rounding::kRtn ? FE_DOWNWARD
                                        : FE_TONEAREST;
  }
};

}  // namespace transpire::vm
