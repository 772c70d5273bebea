// Information for checkers about instructions that order memory.
#pragma once

#include <cstdint>
#include <optional>

#include "vm/build/builder.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder {

/// A scope that is constant. QueueFamily counts as Device, which it is part of: there is one queue family.
std::optional<std::uint64_t> memory_scope(Builder& b, Id scope);

/// For the race check: the promise of an access whose memory operands, or which as an atomic, names a scope.
Sharing shared_in(Builder& b, Id scope);

/// For the race check: passes observers the scope and the memory semantics of operands number
/// `scope` and `semantics`, and those of a failing compare-exchange (`unequal`, 0: the same). Notes
/// in lir::FineOrders how the function may order memory.
void announce_order(Builder& b, OrderOf of, const Instruction& i, std::size_t scope,
                    std::size_t semantics, std::size_t unequal = 0);

}  // namespace transpire::vm::builder
