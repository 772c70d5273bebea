#include "analysis/function_index.h"

#include "decoder/id_operands.h"

namespace transpire::analysis {

using decoder::Id;
using decoder::Instruction;

std::vector<Id> value_operands(const Instruction& instruction) {
  std::vector<Id> ids;
  if (instruction.op == spv::Op::OpPhi) {
    for (std::size_t i = 0; i < instruction.operands.size(); i += 2)
      ids.push_back(instruction.operands[i]);
    return ids;
  }
  if (instruction.op == spv::Op::OpExtInst) {
    ids.assign(instruction.operands.begin() + 2, instruction.operands.end());
    // The last operand of vloadn, vstore_half_r and their like is a number or a rounding mode.
    const decoder::ExtInstInfo* info =
        decoder::find_ext_inst(instruction.set, instruction.operands[1]);
    if (info != nullptr && !info->operands.empty() && !ids.empty() &&
        decoder::category_of(info->operands.back().kind) != decoder::Category::kId)
      ids.pop_back();
    return ids;
  }
  decoder::each_id(instruction, [&ids](Id id) { ids.push_back(id); });
  if (instruction.op == spv::Op::OpFunctionCall && !ids.empty()) ids.erase(ids.begin());
  return ids;
}

namespace {

std::vector<Id> targets_of(const decoder::Module& module, const Instruction& terminator) {
  const auto& operands = terminator.operands;
  switch (terminator.op) {
    case spv::Op::OpBranch:
      return {operands[0]};
    case spv::Op::OpBranchConditional:
      return {operands[1], operands[2]};
    case spv::Op::OpSwitch: {
      std::vector<Id> labels{operands[1]};
      const decoder::Type* selector = module.type_of(operands[0]);
      const std::size_t literal = selector != nullptr && selector->width_bits > 32 ? 2 : 1;
      for (std::size_t i = 2 + literal; i < operands.size(); i += literal + 1)
        labels.push_back(operands[i]);
      return labels;
    }
    default:
      return {};
  }
}

/// True for instructions that compute nothing, such as those for debuggers.
bool is_note(const Instruction& instruction) {
  return instruction.op == spv::Op::OpExtInst && !computes(instruction.set);
}

}  // namespace

FunctionIndex::FunctionIndex(const decoder::Module& module, const decoder::Function& indexed)
    : function(indexed) {
  for (std::uint32_t i = 0; i < function.parameters.size(); ++i)
    parameters.emplace(function.parameters[i].id, i);
  predecessors.resize(function.blocks.size());
  for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
    const std::vector<Instruction>& instructions = function.blocks[block].instructions;
    for (std::uint32_t index = 0; index < instructions.size(); ++index) {
      const Instruction& instruction = instructions[index];
      const Spot spot{block, index};
      at_word.emplace(instruction.word_offset, spot);
      if (instruction.result_id != 0) definitions.emplace(instruction.result_id, spot);
      if (!is_note(instruction))
        for (const Id id : value_operands(instruction)) users[id].push_back(spot);
      if (instruction.op == spv::Op::OpReturnValue) returned.push_back(instruction.operands[0]);
    }
    if (instructions.empty()) continue;
    for (const Id label : targets_of(module, instructions.back())) {
      const std::int32_t target = function.block_index(label);
      if (target < 0) continue;
      std::vector<std::uint32_t>& from = predecessors[static_cast<std::size_t>(target)];
      if (from.empty() || from.back() != block) from.push_back(block);
    }
  }
}

const FunctionIndex* FunctionIndexes::of(Id function) {
  const auto [place, is_new] = made_.try_emplace(function);
  if (!is_new) return place->second.get();
  if (const decoder::Function* named = module_.function(function))
    place->second = std::make_unique<const FunctionIndex>(module_, *named);
  return place->second.get();
}

}  // namespace transpire::analysis
