// The reference mode's handlers: math functions correctly rounded (extinst/reference/), everything
// else as in the table of the instruction set. They compute a row with the fast handler for doubles
// and then look at each running lane.
#pragma once

#include "extinst/reference/format.h"
#include "vm/exec/engine.h"

namespace transpire::vm::exec {

/// The table of the same instruction set with the reference mode's handlers; `fast` is one of
/// handlers(). Its handlers need extinst::reference::mpfr_library(). Made at the first call, which
/// may come from any thread.
const HandlerTable& reference_handlers(const HandlerTable& fast);

/// One call of an op that has a reference_function(), correctly rounded: the plain function behind
/// the handlers. The float mode must be that of a launch (vm/simd/float_mode.h).
extinst::reference::Bits evaluate_correctly(Op op, Kind kind, Rounding rounding,
                                            const extinst::reference::Bits* operands);

}  // namespace transpire::vm::exec
