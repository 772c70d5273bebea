// Visits everything that a decoded module offers, the way consumers do: recursion over types and
// constants, look-ups of every operand. For tests and fuzzing that ask whether a module which
// decodes can be trusted. Gives a checksum, so that nothing is optimised away.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "decoder/module.h"

namespace transpire::test {

/// Stops the program: a promise of module.h does not hold.
inline void require(bool promise) {
  if (!promise) std::abort();
}

inline std::uint64_t walk_layout(const decoder::Type& type, std::uint32_t levels = 0) {
  require(levels < 256 && type.align_bytes != 0);
  std::uint64_t sum = type.size_bytes + type.align_bytes;
  switch (type.kind) {
    case decoder::Type::Kind::kVector:
      require(type.element->is_scalar() &&
              type.size_bytes >= type.count * type.element->size_bytes);
      return sum;
    case decoder::Type::Kind::kArray:
      require(type.size_bytes == type.count * type.element->size_bytes);
      return sum + walk_layout(*type.element, levels + 1);
    case decoder::Type::Kind::kPointer:
      require(type.element != nullptr && (type.size_bytes == 4 || type.size_bytes == 8));
      return sum;
    case decoder::Type::Kind::kStruct:
      break;
    default:
      return sum;
  }
  require(type.member_offsets.size() == type.members.size());
  require(type.member_names.size() == type.members.size());
  for (std::size_t i = 0; i < type.members.size(); ++i)
    require(type.member_offsets[i] + type.members[i]->size_bytes <= type.size_bytes);
  // Two members are enough to meet every level, and keep a forged tree of types from exploding.
  for (std::size_t i = 0; i < std::min<std::size_t>(type.members.size(), 1); ++i)
    sum += walk_layout(*type.members[i], levels + 1);
  return sum;
}

inline std::uint64_t walk_constant(const decoder::Module& module, const decoder::Constant& constant,
                                   std::uint32_t levels = 0) {
  require(levels <= 1024 && constant.type != nullptr);
  std::uint64_t sum = constant.bits + constant.elements.size();
  if (constant.kind != decoder::Constant::Kind::kComposite) return sum;
  const decoder::Type& type = *constant.type;
  require(type.is_composite());
  require(constant.elements.size() ==
          (type.kind == decoder::Type::Kind::kStruct ? type.members.size() : type.count));
  for (const decoder::Id id : constant.elements)
    require(module.constant(id) != nullptr || module.variable(id) != nullptr);
  if (!constant.elements.empty())
    if (const decoder::Constant* first = module.constant(constant.elements.front()))
      sum += walk_constant(module, *first, levels + 1);
  return sum;
}

inline std::uint64_t walk_function(const decoder::Module& module,
                                   const decoder::Function& function) {
  require(module.function(function.id) == &function && !function.name.empty());
  require(function.type->kind == decoder::Type::Kind::kFunction &&
          function.result == function.type->element);
  require(function.parameters.size() == function.type->members.size());
  std::uint64_t sum = spell(*function.type).size();
  for (const decoder::Parameter& parameter : function.parameters)
    require(module.type_of(parameter.id) == parameter.type);
  for (const decoder::Block& block : function.blocks) {
    require(!block.instructions.empty());
    const std::int32_t index = function.block_index(block.label);
    require(index >= 0 && &function.blocks[static_cast<std::size_t>(index)] == &block);
    for (const decoder::Instruction& instruction : block.instructions) {
      require(instruction.line < module.lines.size());
      sum +=
          module.source_line(instruction.line).line + decoder::opcode_name(instruction.op).size();
      if (instruction.result_id != 0 && instruction.type_id != 0)
        require(module.type_of(instruction.result_id) == module.type(instruction.type_id));
      for (const std::uint32_t word : instruction.operands) sum += word;
      if (instruction.op == spv::Op::OpBranch)
        require(function.block_index(instruction.operands[0]) >= 0);
      if (instruction.op == spv::Op::OpFunctionCall)
        require(module.function(instruction.operands[0])->parameters.size() + 1 ==
                instruction.operands.size());
    }
  }
  return sum;
}

inline std::uint64_t walk(const decoder::Module& module) {
  std::uint64_t sum = module.words.size() + module.pointer_bytes();
  for (const auto& type : module.types) {
    const decoder::Type* const of_id = module.type(type->id);
    // Copies with a layout or a pointee of their own have the id of another type.
    require(of_id == type.get() || (of_id != nullptr && of_id->kind == type->kind));
    sum += walk_layout(*type) + spell(*type).size();
  }
  for (const decoder::Constant& constant : module.constants) {
    require(module.constant(constant.id) == &constant);
    sum += walk_constant(module, constant);
  }
  for (const decoder::Variable& variable : module.variables) {
    require(module.variable(variable.id) == &variable);
    require(variable.type->kind == decoder::Type::Kind::kPointer);
    if (variable.initializer != 0)
      require(module.constant(variable.initializer) != nullptr ||
              module.variable(variable.initializer) != nullptr);
    sum += variable.align_bytes;
  }
  for (const decoder::Function& function : module.functions) sum += walk_function(module, function);
  for (const decoder::EntryPoint& entry : module.entry_points) {
    require(module.function(entry.function) != nullptr);
    for (const decoder::Id id : entry.interface) require(module.variable(id) != nullptr);
    sum += entry.modes.size();
  }
  for (decoder::Id id = 0; id < module.bound; ++id) {
    sum += static_cast<std::uint64_t>(module.kind_of(id)) + module.decorations(id).size();
    if (module.kind_of(id) != decoder::IdKind::kNone) sum += module.spell_id(id).size();
  }
  return sum;
}

}  // namespace transpire::test
