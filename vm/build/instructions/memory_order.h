// What checkers have to know of instructions that order memory.
#pragma once

#include "vm/build/builder.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder {

/// Where the launch looks for races: tells observers of the scope and the memory semantics that operands number `scope`
/// and `semantics` give, and of those of a compare-exchange that fails (`unequal`, 0: the same). Notes what the function may
/// order memory by (lir::FineOrders).
void tell_order(Builder& b, OrderOf of, const Instruction& i, std::size_t scope,
                std::size_t semantics, std::size_t unequal = 0);

}  // namespace transpire::vm::builder
