// Memory and comparators that an instruction reads for a lane, for reports about waiting work-items and for checkers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "vm/exec/engine.h"

namespace transpire::vm::exec {

/// A virtual address, with its tag if it has one, and a number of bytes.
struct ReadAddress {
  std::uint64_t address = 0, size_bytes = 0;
};

/// The memory that a load or an atomic reads, computed from the present registers. Nothing for
/// other instructions, for loads of named private variables, and for those with an index plan,
/// since no register has their index.
std::optional<ReadAddress> read_address(const Batch& batch, const Inst& instruction,
                                        std::uint32_t lane);

/// The bytes of a lane with which a compare-exchange compares what it reads; null for other instructions.
const std::byte* comparator(const Batch& batch, const Inst& instruction, std::uint32_t lane);

}  // namespace transpire::vm::exec
