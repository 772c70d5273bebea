// SPIR-V "Control-Flow Instructions", and calls.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace control_flow {

void function_call(Builder& b, const Instruction& i, Op op);
void branch(Builder& b, const Instruction& i, Op op);
void branch_conditional(Builder& b, const Instruction& i, Op op);
void switch_to(Builder& b, const Instruction& i, Op op);
void return_void(Builder& b, const Instruction& i, Op op);
void return_value(Builder& b, const Instruction& i, Op op);
void unreachable(Builder& b, const Instruction& i, Op op);
void phi(Builder& b, const Instruction& i, Op op);
void lifetime(Builder& b, const Instruction& i, Op op);

}  // namespace control_flow

}  // namespace transpire::vm::builder
