// Evaluates scalar integer and Boolean operations as SPIR-V 1.0 describes them in "Arithmetic
// Instructions", "Bit Instructions", "Relational and Logical Instructions" and "Conversion
// Instructions". Arithmetic wraps through unsigned.
#include "decoder/fold.h"

#include "base/checked.h"

namespace transpire::decoder {
namespace {

using Bits = std::uint64_t;

Bits mask_of(std::uint32_t width_bits) {
  return width_bits >= 64 ? ~Bits{0} : (Bits{1} << width_bits) - 1;
}

std::int64_t signed_value(FoldOperand operand) {
  const std::uint32_t shift = 64 - operand.width_bits;
  return static_cast<std::int64_t>(operand.bits << shift) >> shift;
}

/// Truncating signed division on magnitudes: no case overflows.
Bits signed_quotient(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  const Bits quotient = magnitude(a) / magnitude(b);
  return (a < 0) != (b < 0) ? Bits{0} - quotient : quotient;
}

/// Sign of the dividend, as OpSRem has it.
Bits signed_remainder(std::int64_t a, std::int64_t b) {
  if (b == 0) return static_cast<Bits>(a);
  const Bits remainder = magnitude(a) % magnitude(b);
  return a < 0 ? Bits{0} - remainder : remainder;
}

/// Sign of the divisor, as OpSMod has it.
Bits signed_modulo(std::int64_t a, std::int64_t b) {
  const Bits remainder = signed_remainder(a, b);
  const bool adjust = b != 0 && remainder != 0 && (a < 0) != (b < 0);
  return adjust ? remainder + static_cast<Bits>(b) : remainder;
}

Bits fold_unary(spv::Op op, FoldOperand a) {
  switch (op) {
    case spv::Op::OpSNegate:
      return Bits{0} - a.bits;
    case spv::Op::OpNot:
      return ~a.bits;
    case spv::Op::OpLogicalNot:
      return a.bits ^ 1;
    case spv::Op::OpSConvert:
      return static_cast<Bits>(signed_value(a));
    default:
      return a.bits;  // OpUConvert, OpBitcast
  }
}

Bits fold_shift(spv::Op op, FoldOperand a, FoldOperand b) {
  const std::uint32_t amount = static_cast<std::uint32_t>(b.bits & (a.width_bits - 1));
  if (op == spv::Op::OpShiftLeftLogical) return a.bits << amount;
  if (op == spv::Op::OpShiftRightLogical) return a.bits >> amount;
  return static_cast<Bits>(signed_value(a) >> amount);
}

Bits fold_arithmetic(spv::Op op, FoldOperand a, FoldOperand b) {
  switch (op) {
    case spv::Op::OpIAdd:
      return a.bits + b.bits;
    case spv::Op::OpISub:
      return a.bits - b.bits;
    case spv::Op::OpIMul:
      return a.bits * b.bits;
    case spv::Op::OpUDiv:
      return b.bits == 0 ? 0 : a.bits / b.bits;
    case spv::Op::OpUMod:
      return b.bits == 0 ? a.bits : a.bits % b.bits;
    case spv::Op::OpSDiv:
      return signed_quotient(signed_value(a), signed_value(b));
    case spv::Op::OpSRem:
      return signed_remainder(signed_value(a), signed_value(b));
    case spv::Op::OpSMod:
      return signed_modulo(signed_value(a), signed_value(b));
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpLogicalAnd:
      return a.bits & b.bits;
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpLogicalOr:
      return a.bits | b.bits;
    default:
      return a.bits ^ b.bits;  // OpBitwiseXor
  }
}

Bits fold_comparison(spv::Op op, FoldOperand a, FoldOperand b) {
  switch (op) {
    case spv::Op::OpIEqual:
    case spv::Op::OpLogicalEqual:
      return a.bits == b.bits;
    case spv::Op::OpINotEqual:
    case spv::Op::OpLogicalNotEqual:
      return a.bits != b.bits;
    case spv::Op::OpULessThan:
      return a.bits < b.bits;
    case spv::Op::OpULessThanEqual:
      return a.bits <= b.bits;
    case spv::Op::OpUGreaterThan:
      return a.bits > b.bits;
    case spv::Op::OpUGreaterThanEqual:
      return a.bits >= b.bits;
    case spv::Op::OpSLessThan:
      return signed_value(a) < signed_value(b);
    case spv::Op::OpSLessThanEqual:
      return signed_value(a) <= signed_value(b);
    case spv::Op::OpSGreaterThan:
      return signed_value(a) > signed_value(b);
    default:
      return signed_value(a) >= signed_value(b);  // OpSGreaterThanEqual
  }
}

bool is_shift(spv::Op op) {
  return op == spv::Op::OpShiftLeftLogical || op == spv::Op::OpShiftRightLogical ||
         op == spv::Op::OpShiftRightArithmetic;
}

bool is_comparison(spv::Op op) {
  switch (op) {
    case spv::Op::OpIEqual:
    case spv::Op::OpINotEqual:
    case spv::Op::OpLogicalEqual:
    case spv::Op::OpLogicalNotEqual:
    case spv::Op::OpULessThan:
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSLessThan:
    case spv::Op::OpSLessThanEqual:
    case spv::Op::OpSGreaterThan:
    case spv::Op::OpSGreaterThanEqual:
      return true;
    default:
      return false;
  }
}

bool is_binary(spv::Op op) {
  switch (op) {
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalOr:
      return true;
    default:
      return is_shift(op) || is_comparison(op);
  }
}

bool is_unary(spv::Op op) {
  switch (op) {
    case spv::Op::OpSNegate:
    case spv::Op::OpNot:
    case spv::Op::OpLogicalNot:
    case spv::Op::OpSConvert:
    case spv::Op::OpUConvert:
    case spv::Op::OpBitcast:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<std::size_t> fold_operand_count(spv::Op op) {
  if (is_unary(op)) return 1;
  if (is_binary(op)) return 2;
  if (op == spv::Op::OpSelect) return 3;
  return std::nullopt;
}

Undefined undefined_result(spv::Op op, std::span<const FoldOperand> operands) {
  if (is_shift(op))
    return operands[1].bits >= operands[0].width_bits ? Undefined::kShift : Undefined::kNo;
  const bool is_signed = op == spv::Op::OpSDiv || op == spv::Op::OpSRem || op == spv::Op::OpSMod;
  if (!is_signed && op != spv::Op::OpUDiv && op != spv::Op::OpUMod) return Undefined::kNo;
  if (operands[1].bits == 0) return Undefined::kDivisionByZero;
  const std::uint32_t width = operands[0].width_bits;
  const bool overflows = is_signed && operands[1].bits == mask_of(width) &&
                         operands[0].bits == std::uint64_t{1} << (width - 1);
  return overflows ? Undefined::kDivisionOverflow : Undefined::kNo;
}

std::uint64_t fold(spv::Op op, std::span<const FoldOperand> operands, std::uint32_t width_bits) {
  Bits bits = 0;
  if (op == spv::Op::OpSelect)
    bits = operands[0].bits != 0 ? operands[1].bits : operands[2].bits;
  else if (is_unary(op))
    bits = fold_unary(op, operands[0]);
  else if (is_shift(op))
    bits = fold_shift(op, operands[0], operands[1]);
  else if (is_comparison(op))
    bits = fold_comparison(op, operands[0], operands[1]);
  else
    bits = fold_arithmetic(op, operands[0], operands[1]);
  return bits & mask_of(width_bits);
}

}  // namespace transpire::decoder
