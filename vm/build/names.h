// The names of other rooms that all of vm/build uses.
#pragma once

#include <cstdint>
#include <span>

#include "decoder/module.h"
#include "vm/lir/lir.h"

namespace transpire::vm::builder {

using decoder::Id;
using decoder::Instruction;
using decoder::Type;
using lir::BlockId;
using lir::kNoBlock;
using lir::kNoValue;
using lir::ValueId;
using lir::ValueList;
/// The scalars of a SPIR-V value, or some of them.
using Values = std::span<const ValueId>;

}  // namespace transpire::vm::builder
