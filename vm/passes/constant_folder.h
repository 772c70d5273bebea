// Constant folding with the engine's own lane functions: a folded value has the bits that running
// the instruction gives, by construction.
#pragma once

#include <cstdint>
#include <optional>

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// The result's bits of a pure op whose operands are all Const; nothing for other values.
std::optional<std::uint64_t> fold_constant(const Function& function, const Value& value);

}  // namespace transpire::vm::lir
