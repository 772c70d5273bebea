// SPIR-V "Group Instructions" at work-group and sub-group scope: every work-item of the group executes
// them. Asynchronous copies.
#pragma once

#include "vm/build/names.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder {

class Builder;

namespace group {

void all(Builder& b, const Instruction& i, Op op);
void any(Builder& b, const Instruction& i, Op op);
void broadcast(Builder& b, const Instruction& i, Op op);
void async_copy(Builder& b, const Instruction& i, Op op);
void untyped_async_copy(Builder& b, const Instruction& i, Op op);
void wait_events(Builder& b, const Instruction& i, Op op);

/// A reduction or scan.
void reduce(Builder& b, const Instruction& i, Combine how);
template <Combine kHow>
void reduce(Builder& b, const Instruction& i, Op) {
  reduce(b, i, kHow);
}

}  // namespace group

}  // namespace transpire::vm::builder
