// Needs of capabilities: see the header.
#include "decoder/view/capability_needs.h"

#include <algorithm>

#include "decoder/view/opcode_sets.h"

namespace transpire::decoder::view {

using spv::Capability;

std::optional<TypeNeed> capability_of_type(const ModuleView& view, std::uint32_t instruction) {
  const std::uint32_t number = view.word(instruction, 0);
  switch (view.at(instruction).op) {
    case spv::Op::OpTypeInt:
      if (number == 8) return TypeNeed{Capability::Int8, "8-bit integers"};
      if (number == 16) return TypeNeed{Capability::Int16, "16-bit integers"};
      if (number == 64) return TypeNeed{Capability::Int64, "64-bit integers"};
      break;
    case spv::Op::OpTypeFloat:
      if (number == 16) return TypeNeed{Capability::Float16, "16-bit floats"};
      if (number == 64) return TypeNeed{Capability::Float64, "64-bit floats"};
      break;
    case spv::Op::OpTypeVector:
      if (const std::uint32_t count = view.word(instruction, 1); count == 8 || count == 16)
        return TypeNeed{Capability::Vector16, "vectors of 8 and 16"};
      break;
    default:
      break;
  }
  if (view.storage_class(view.at(instruction).result_id) == spv::StorageClass::Generic)
    return TypeNeed{Capability::GenericPointer, "Generic pointers"};
  return std::nullopt;
}

std::optional<Capability> capability_of_float_atomic(const ModuleView& view,
                                                     std::uint32_t instruction) {
  struct Row {
    std::uint32_t width;
    Capability add, min_max;
  };
  constexpr Row kRows[] = {
      {16, Capability::AtomicFloat16AddEXT, Capability::AtomicFloat16MinMaxEXT},
      {32, Capability::AtomicFloat32AddEXT, Capability::AtomicFloat32MinMaxEXT},
      {64, Capability::AtomicFloat64AddEXT, Capability::AtomicFloat64MinMaxEXT}};
  const spv::Op op = view.at(instruction).op;
  const bool is_add = op == spv::Op::OpAtomicFAddEXT;
  if (!is_add && op != spv::Op::OpAtomicFMinEXT && op != spv::Op::OpAtomicFMaxEXT)
    return std::nullopt;
  for (const Row& row : kRows)
    if (view.is_float(view.at(instruction).type_id, row.width))
      return is_add ? row.add : row.min_max;
  return std::nullopt;
}

namespace {

bool has(std::span<const Capability> capabilities, Capability wanted) {
  return std::ranges::find(capabilities, wanted) != capabilities.end();
}

bool operand_needs(const ModuleView& view, std::uint32_t i, std::size_t n, Capability capability) {
  const OperandKind kind = view.operands(i)[n].kind;
  const auto category = category_of(kind);
  if (category != Category::kValueEnum && category != Category::kBitEnum) return false;
  const std::uint32_t word = view.word(i, n);
  const auto asks = [&](std::uint32_t value) {
    const auto* info = find_enumerant(kind, value);
    return info != nullptr && has(info->needs.capabilities, capability);
  };
  if (category == Category::kValueEnum) return asks(word);
  for (std::uint32_t rest = word; rest != 0; rest &= rest - 1)
    if (asks(rest & (0u - rest))) return true;
  return false;
}

}  // namespace

bool needs_capability(const ModuleView& view, std::uint32_t instruction, Capability capability) {
  const Instruction& in = view.at(instruction);
  if (in.info == nullptr || in.op == spv::Op::OpCapability) return false;
  if (has(in.info->needs.capabilities, capability)) return true;
  if (const auto need = capability_of_type(view, instruction))
    if (need->capability == capability ||
        (need->capability == Capability::Float16 && capability == Capability::Float16Buffer))
      return true;
  if (capability == Capability::Int64Atomics && is_atomic(in.op))
    return view.is_int(view.pointee(view.type_of(view.word(instruction, 0))), 64);
  for (std::size_t n = 0; n < in.operand_count; ++n)
    if (operand_needs(view, instruction, n, capability)) return true;
  return false;
}

}  // namespace transpire::decoder::view
