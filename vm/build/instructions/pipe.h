// SPIR-V "Pipe Instructions", and storage of pipes at program scope.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace pipe {

/// Reads and writes, by a reservation or without.
void transfer(Builder& b, const Instruction& i, Op op);
/// Reservations and commits of a work-item, and of a group.
void reserve(Builder& b, const Instruction& i, Op op);
void commit(Builder& b, const Instruction& i, Op op);
void is_valid(Builder& b, const Instruction& i, Op op);
void available(Builder& b, const Instruction& i, Op op);
void capacity(Builder& b, const Instruction& i, Op op);
/// OpConstantPipeStorage, and the pipe that is made of it.
void storage(Builder& b, const Instruction& i, Op op);
void create(Builder& b, const Instruction& i, Op op);

}  // namespace pipe

}  // namespace transpire::vm::builder
