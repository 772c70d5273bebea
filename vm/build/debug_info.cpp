// What a program that keeps values says of the module (vm/program/debug_info.h), as far as the builder
// knows it: what <id>s mean in each call, variables, locals of the source, and blocks.
#include "vm/build/debug_info.h"

#include <spirv/unified1/OpenCLDebugInfo100.h>

#include <algorithm>

#include "vm/lir/budget.h"
#include "vm/lir/dominators.h"

namespace transpire::vm::builder {

void Builder::note_value(Id id, std::uint32_t word, Values values) {
  if (!options_.keeps_values() || operation_depth_ != 0 || failed()) return;
  lir::NamedScalars named;
  named.id = id;
  named.call = frame_->called_from;
  named.word = word;
  named.block = block_;
  named.values = ValueList(values.begin(), values.end());
  function_.take(sizeof named + values.size() * (sizeof(ValueId) + sizeof(Kind)));
  for (const ValueId value : values) named.kinds.push_back(kind_of(value));
  function_.named.push_back(std::move(named));
}

/// Of the OpVariable that was just defined.
void Builder::note_variable(const Instruction& i, std::uint32_t variable) {
  if (!options_.keeps_values() || failed()) return;
  const PrivateVariable& made = function_.private_variables[variable];
  function_.take(sizeof(NamedVariable) + made.name.size());
  NamedVariable named;
  named.name = made.name;
  named.id = i.result_id;
  named.call = frame_->called_from;
  named.word = i.word_offset;
  named.slot = variable;  // until slots are numbered
  named.size_bytes = made.size_bytes;
  function_.debug.variables.push_back(std::move(named));
}

/// The function's parameters in this call; once for all its calls its blocks, and which dominate which.
void Builder::note_function(const Frame& frame) {
  if (!options_.keeps_values()) return;
  const decoder::Function& function = *frame.function;
  for (const decoder::Parameter& parameter : function.parameters)
    if (const auto bound = frame.bound.find(parameter.id); bound != frame.bound.end())
      note_value(parameter.id, 0, bound->second.values);
  if (!noted_functions_.insert(function.id).second) return;
  lir::Function graph;
  graph.blocks.resize(function.blocks.size());
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    if (function.blocks[b].instructions.empty()) continue;
    std::vector<Id> labels;
    append_targets(module_, function.blocks[b].instructions.back(), labels);
    function_.work(labels.size() + 1);
    for (const Id label : labels) {
      const std::int32_t target = function.block_index(label);
      if (target < 0) continue;
      graph.blocks[b].targets.push_back(static_cast<BlockId>(target));
      lir::BlockList& preds = graph.blocks[static_cast<BlockId>(target)].preds;
      if (preds.empty() || preds.back() != b) preds.push_back(static_cast<BlockId>(b));
    }
  }
  const lir::Dominators dominators(graph);
  function_.take(function.blocks.size() * sizeof(SourceBlock));
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    const decoder::Block& block = function.blocks[b];
    if (block.instructions.empty() || dominators.first(b) == 0) continue;
    function_.debug.source_blocks.push_back({block.word_offset,
                                             block.instructions.back().word_offset + 1,
                                             dominators.first(b), dominators.last(b)});
  }
}

/// DebugDeclare and DebugValue of OpenCL.DebugInfo.100.
void Builder::note_local(const Instruction& i) {
  if (!options_.keeps_values() || i.operands.size() < 5) return;
  const std::uint32_t number = i.operands[1];
  const bool declares = number == OpenCLDebugInfo100DebugDeclare;
  if (!declares && number != OpenCLDebugInfo100DebugValue) return;
  if (!debug_instructions_) debug_instructions_ = std::make_shared<DebugInstructions>(module_);
  const auto name = debug_instructions_->local_name(i.operands[2]);
  if (!name) return;
  // A variable's expression may lead to its address space, a value's may do nothing; with indexes it is a
  // part of the local only.
  const bool is_plain =
      i.operands.size() == 5 && debug_instructions_->is_plain(i.operands[4], declares);
  function_.take(sizeof(NamedLocal) + name->size());
  function_.debug.locals.push_back({*name, i.operands[2], is_plain ? i.operands[3] : 0, declares,
                                    frame_->called_from, i.word_offset});
}

void Builder::finish_debug_info() {
  if (!options_.keeps_values()) return;
  DebugInfo& debug = function_.debug;
  for (NamedVariable& variable : debug.variables)
    variable.slot = function_.private_slot(variable.slot);
  const auto add = [&](const auto& variable, std::uint32_t slot) {
    debug.variables.push_back(
        {variable.name, variable.id, 0, 0, slot, NamedVariable::kNowhere, variable.size_bytes});
  };
  for (std::uint32_t i = 0; i < function_.workgroup_variables.size(); ++i)
    add(function_.workgroup_variables[i], function_.workgroup_slot(i));
  for (std::uint32_t i = 0; i < function_.program_variables.size(); ++i)
    add(function_.program_variables[i], function_.program_slot(i));
  std::sort(debug.source_blocks.begin(), debug.source_blocks.end(),
            [](const auto& a, const auto& b) { return a.first_word < b.first_word; });
}

DebugInstructions::DebugInstructions(const decoder::Module& module) : module_(module) {
  constexpr std::size_t kHeaderWords = 5;
  const std::vector<std::uint32_t>& words = module.words;
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    const auto op = static_cast<spv::Op>(words[at] & 0xffff);
    // What has no body comes before functions; a set's instructions outside of them describe the source.
    if (count == 0 || count > words.size() - at || op == spv::Op::OpFunction) return;
    if (op == spv::Op::OpExtInst && count > 4) {
      const decoder::ExtInstImport* set = module.ext_inst_import(words[at + 3]);
      if (set != nullptr && set->name == "OpenCL.DebugInfo.100")
        instructions_[words[at + 2]] = std::span(words).subspan(at + 4, count - 4);
    }
    at += count;
  }
}

std::optional<std::string> DebugInstructions::local_name(Id id) const {
  const auto found = instructions_.find(id);
  if (found == instructions_.end() || found->second.size() < 2 ||
      found->second[0] != OpenCLDebugInfo100DebugLocalVariable)
    return std::nullopt;
  return std::string(module_.string(found->second[1]));
}

bool DebugInstructions::is_plain(Id expression, bool of_variable) const {
  const auto found = instructions_.find(expression);
  if (found == instructions_.end() || found->second[0] != OpenCLDebugInfo100DebugExpression)
    return false;
  return std::all_of(found->second.begin() + 1, found->second.end(), [&](Id operation) {
    const auto step = instructions_.find(operation);
    if (!of_variable || step == instructions_.end() || step->second.size() < 2) return false;
    const std::uint32_t code = step->second[1];
    return code == OpenCLDebugInfo100Constu || code == OpenCLDebugInfo100Swap ||
           code == OpenCLDebugInfo100Xderef;
  });
}

}  // namespace transpire::vm::builder
