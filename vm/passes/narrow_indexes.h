// Indexes of 64 bits that are known to fit in 32, as ids are, are taken in 32 bits where they are
// rows: half the bytes, and what gathers take.
#pragma once

#include "vm/lir/lir.h"
#include "vm/lir/lower_options.h"

namespace transpire::vm::lir {

/// Runs after analyse_divergence() and fold_addresses(), and writes the spread of what it adds.
void narrow_indexes(Function& function, const LowerOptions& options);

}  // namespace transpire::vm::lir
