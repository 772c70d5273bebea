// SPIR-V "Memory Instructions" that load, store and copy, and variables of functions.
#pragma once

#include <optional>

#include "vm/build/accesses.h"

namespace transpire::vm::builder {

class Builder;

namespace memory_access {

/// The memory that a pointer leads to.
struct Pointer {
  Id id = 0;
  ValueId address;
  const Type* pointee = nullptr;
  lir::Space space = lir::Space::kGlobal;
  std::uint32_t align_limit = 0;
  std::uint32_t least_align = 0;  ///< where Aligned says less
  bool is_robust = false;         ///< accesses out of bounds are no findings
};

/// The type of the memory that an instruction accesses through the pointer in an operand: the pointee; of an untyped pointer the type
/// of the result, of the value that is stored, or of the other pointee of a copy, else a byte. Null if the operand is no pointer.
const Type* accessed_type(Builder& b, const Instruction& i, std::size_t index);

/// Nothing after a refusal.
std::optional<Pointer> pointer_operand(Builder& b, const Instruction& i, std::size_t index);
enum class Direction : std::uint8_t { kLoad, kStore };
/// Reads the memory operands at `at`, of an access through the pointer, and steps over them.
MemoryOperands memory_operands(Builder& b, const Instruction& i, std::size_t& at,
                               const Pointer& pointer, Direction direction);

void load(Builder& b, const Instruction& i, Op op);
void store(Builder& b, const Instruction& i, Op op);
void copy(Builder& b, const Instruction& i, Op op);
void copy_sized(Builder& b, const Instruction& i, Op op);
void size_of(Builder& b, const Instruction& i, Op op);
void array_length(Builder& b, const Instruction& i, Op op);
void variable(Builder& b, const Instruction& i, Op op);

}  // namespace memory_access

}  // namespace transpire::vm::builder
