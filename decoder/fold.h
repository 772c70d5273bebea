// Scalar integer and Boolean expressions of OpSpecConstantOp, evaluated on zero-extended bits.
// Floats, vectors, composites and pointers are left to whoever executes the module.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <spirv/unified1/spirv.hpp11>

namespace transpire::decoder {

/// A scalar's bits, zero-extended, and its width; a Boolean has width 1.
struct FoldOperand {
  std::uint64_t bits = 0;
  std::uint32_t width_bits = 0;
};

/// True for the opcodes that `fold` evaluates, and how many operands they take.
std::optional<std::size_t> fold_operand_count(spv::Op op);

/// Why SPIR-V leaves the result of an operation on integers undefined.
enum class Undefined : std::uint8_t { kNo, kDivisionByZero, kDivisionOverflow, kShift };
Undefined undefined_result(spv::Op op, std::span<const FoldOperand> operands);

/// The result's bits, wrapped to `width_bits`. The two sides of a binary operation have the same
/// width, save for shifts. Where SPIR-V leaves the result undefined, the documented ones of
/// execution hold: quotients by zero are 0 and remainders the dividend, the smallest integer
/// divided by -1 is itself, shift amounts count modulo the width.
/// `operands` has as many entries as `fold_operand_count(op)` says.
std::uint64_t fold(spv::Op op, std::span<const FoldOperand> operands, std::uint32_t width_bits);

}  // namespace transpire::decoder
