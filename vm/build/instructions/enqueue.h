// SPIR-V "Device-Side Enqueue Instructions".
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace enqueue {

void kernel(Builder& b, const Instruction& i, Op op);
void marker(Builder& b, const Instruction& i, Op op);
void nd_range(Builder& b, const Instruction& i, Op op);
/// Instructions without an event operand that give an event or a queue.
void make(Builder& b, const Instruction& i, Op op);
/// Instructions that act on an event.
void on_event(Builder& b, const Instruction& i, Op op);
void is_valid(Builder& b, const Instruction& i, Op op);
void capture(Builder& b, const Instruction& i, Op op);

/// Queries about a function before it is enqueued. The answers depend only on its ND-range.
void group_size(Builder& b, const Instruction& i, Op op);
void preferred_multiple(Builder& b, const Instruction& i, Op op);
void subgroup_size(Builder& b, const Instruction& i, Op op);
void subgroup_count(Builder& b, const Instruction& i, Op op);
void most_subgroups(Builder& b, const Instruction& i, Op op);
void local_size_for(Builder& b, const Instruction& i, Op op);

}  // namespace enqueue

}  // namespace transpire::vm::builder
