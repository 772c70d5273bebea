// The ops that the reference mode's math functions (extinst/reference/functions.def) belong to.
#pragma once

#include "extinst/reference/evaluate.h"
#include "vm/ops/op.h"

namespace transpire::vm {

/// The function that an op computes, correctly rounded; null where the fast mode has it right.
const extinst::reference::Function* reference_function(Op op);

/// The op of functions()[index].
Op op_of_reference_function(std::size_t index);

}  // namespace transpire::vm
