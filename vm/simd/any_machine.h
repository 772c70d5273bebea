// Machines without a header of their own: float control through the C library. Included by
// vm/simd/float_control.h; their only instruction set is scalar.
#pragma once

#include <cfenv>

#include "vm/simd/instruction_set.h"
#include "vm/simd/rounding.h"

namespace transpire::vm {

/// True if this processor runs the instruction set.
inline bool processor_runs(Isa isa) { return isa == Isa::kScalar; }

/// Controls the rounding mode only, because the C library has nothing else. Such a machine keeps
/// denormals unless its host departs from all standards.
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
