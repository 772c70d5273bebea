// The control-flow part of simplify: constant and pointless branches, blocks that nothing reaches,
// blocks that can be one, blocks that only lead on.
#pragma once

#include "vm/lir/lir.h"
#include "vm/passes/replacements.h"

namespace transpire::vm::lir {

/// Operands must be resolved. Phis that go away are noted in `replaced`. Returns whether anything
/// changed.
bool simplify_flow(Function& function, Replacements& replaced);

}  // namespace transpire::vm::lir
