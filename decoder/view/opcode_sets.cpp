// Sets of opcodes: see the header.
#include "decoder/view/opcode_sets.h"

#include "decoder/grammar.h"

namespace transpire::decoder::view {
namespace {

std::string_view class_of(spv::Op op) {
  const OpcodeInfo* info = find_opcode(static_cast<std::uint32_t>(op));
  return info ? info->class_name : std::string_view{};
}

}  // namespace

bool is_type_declaration(spv::Op op) {
  const OpcodeInfo* info = find_opcode(static_cast<std::uint32_t>(op));
  return info && info->has_result && !info->has_type && info->name.starts_with("OpType");
}

bool is_constant(spv::Op op) {
  const OpcodeInfo* info = find_opcode(static_cast<std::uint32_t>(op));
  return info && (info->name.starts_with("OpConstant") || info->name.starts_with("OpSpecConstant"));
}

bool is_atomic(spv::Op op) { return class_of(op) == "Atomic"; }

bool is_merge(spv::Op op) { return op == spv::Op::OpLoopMerge || op == spv::Op::OpSelectionMerge; }

bool is_line(spv::Op op) { return op == spv::Op::OpLine || op == spv::Op::OpNoLine; }

bool is_alias_declaration(spv::Op op) {
  return op == spv::Op::OpAliasDomainDeclINTEL || op == spv::Op::OpAliasScopeDeclINTEL ||
         op == spv::Op::OpAliasScopeListDeclINTEL;
}

bool is_conversion(spv::Op op) { return class_of(op) == "Conversion"; }

bool is_group(spv::Op op) {
  const std::string_view name = class_of(op);
  return name == "Group" || name == "Non-Uniform";
}

}  // namespace transpire::decoder::view
