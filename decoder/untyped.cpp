#include "decoder/untyped.h"

#include "decoder/newer_opcodes.h"

namespace transpire::decoder {
namespace {

spv::Op op_at(const Module& module, std::uint32_t word_offset) {
  return static_cast<spv::Op>(module.words[word_offset] & 0xffff);
}

}  // namespace

const Type& untyped_pointee() {
  static const Type kByte = [] {
    Type type;
    type.kind = Type::Kind::kInt;
    type.width_bits = 8;
    type.size_bytes = type.align_bytes = 1;
    return type;
  }();
  return kByte;
}

spv::Op typed_op(spv::Op op) {
  if (op == kOpUntypedVariableKHR) return spv::Op::OpVariable;
  if (op == kOpUntypedAccessChainKHR) return spv::Op::OpAccessChain;
  if (op == kOpUntypedInBoundsAccessChainKHR) return spv::Op::OpInBoundsAccessChain;
  if (op == kOpUntypedPtrAccessChainKHR) return spv::Op::OpPtrAccessChain;
  if (op == kOpUntypedInBoundsPtrAccessChainKHR) return spv::Op::OpInBoundsPtrAccessChain;
  if (op == kOpUntypedArrayLengthKHR) return spv::Op::OpArrayLength;
  return op;
}

spv::Op written_op(const Module& module, const Instruction& instruction) {
  const spv::Op written = op_at(module, instruction.word_offset);
  return typed_op(written) == instruction.op ? written : instruction.op;
}

std::size_t seen_operand(spv::Op op) { return op == kOpUntypedVariableKHR ? 1 : 0; }

const Type* seen_type(const Module& module, std::uint32_t word_offset) {
  const spv::Op op = op_at(module, word_offset);
  if (typed_op(op) == op) return nullptr;
  const std::size_t at = 3 + seen_operand(op);  // behind the opcode, the result type and the result
  const std::size_t count = module.words[word_offset] >> 16;
  return at < count ? module.type(module.words[word_offset + at]) : nullptr;
}

}  // namespace transpire::decoder
