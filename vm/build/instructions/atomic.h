// SPIR-V "Atomic Instructions". Scopes need no care, as every atomic is the host's; nor do
// semantics but those of stores: see vm/ops/atomic.def. An atomic flag is an i32, 0 when clear.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace atomic {

void load(Builder& b, const Instruction& i, Op op);
void store(Builder& b, const Instruction& i, Op op);
void modify(Builder& b, const Instruction& i, Op op);
void modify_by_one(Builder& b, const Instruction& i, Op op);
void compare_exchange(Builder& b, const Instruction& i, Op op);
void flag_test_and_set(Builder& b, const Instruction& i, Op op);
void flag_clear(Builder& b, const Instruction& i, Op op);

}  // namespace atomic

}  // namespace transpire::vm::builder
