// The table of SPIR-V's instructions: which handler builds each. It is the only place where an instruction is
// registered (table.cpp). Handlers stand in instructions/, by the class that the grammar gives the instruction.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;
using Handler = void (*)(Builder&, const Instruction&, Op);

/// One SPIR-V instruction: its handler, and the op that the handler emits.
struct Row {
  spv::Op opcode;
  Handler handler;
  Op op = Op::kConst;
};

/// Null for instructions that are not supported.
const Row* find_row(spv::Op opcode);

}  // namespace transpire::vm::builder
