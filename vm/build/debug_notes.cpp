#include "vm/build/debug_notes.h"

#include <spirv/unified1/OpenCLDebugInfo100.h>

#include <algorithm>
#include <utility>

#include "base/narrow.h"
#include "vm/build/block_orders.h"
#include "vm/lir/dominators.h"

namespace transpire::vm::builder {

void DebugNotes::value(Id id, std::uint32_t word, Values values) {
  if (!request_.options.keeps_values() || refusals_.failed()) return;
  if (request_.module.constant(id) != nullptr) return;  // that an operation makes
  lir::NamedScalars named;
  named.id = id;
  named.call = position_.frame->called_from;
  named.word = word;
  named.block = writer_.current_block();
  named.values = ValueList(values.begin(), values.end());
  function_.take(sizeof named + values.size() * (sizeof(ValueId) + sizeof(Kind)));
  function_.work(values.size());
  for (const ValueId value : values) named.kinds.push_back(writer_.kind_of(value));
  function_.named.push_back(std::move(named));
}

void DebugNotes::variable(const Instruction& i, std::uint32_t number) {
  if (!request_.options.keeps_values() || refusals_.failed()) return;
  const PrivateVariable& made = function_.private_variables[number];
  function_.take(sizeof(NamedVariable) + made.name.size());
  NamedVariable named;
  named.name = made.name;
  named.id = i.result_id;
  named.call = position_.frame->called_from;
  named.word = i.word_offset;
  named.slot = number;  // until slots are numbered
  named.size_bytes = made.size_bytes;
  function_.debug.variables.push_back(std::move(named));
}

void DebugNotes::function(const Frame& frame) {
  if (!request_.options.keeps_values()) return;
  for (const decoder::Parameter& parameter : frame.function->parameters)
    if (const auto bound = frame.bound.find(parameter.id); bound != frame.bound.end())
      value(parameter.id, 0, bound->second.values);
  if (noted_functions_.insert(frame.function->id).second) blocks_of(*frame.function);
}

void DebugNotes::blocks_of(const decoder::Function& function) {
  lir::Function graph;
  graph.budget = function_.budget;
  graph.blocks.resize(function.blocks.size());
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    if (function.blocks[b].instructions.empty()) continue;
    std::vector<Id> labels;
    append_targets(request_.module, function.blocks[b].instructions.back(), labels);
    function_.work(labels.size() + 1);
    for (const Id label : labels) {
      const std::int32_t target = function.block_index(label);
      if (target < 0) continue;
      graph.blocks[b].targets.push_back(narrow<BlockId>(target));
      lir::BlockList& preds = graph.blocks[narrow<BlockId>(target)].preds;
      if (preds.empty() || preds.back() != b) preds.push_back(narrow<BlockId>(b));
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

void DebugNotes::local(const Instruction& i) {
  if (!request_.options.keeps_values() || i.operands.size() < 5) return;
  const std::uint32_t number = i.operands[1];
  const bool declares = number == OpenCLDebugInfo100DebugDeclare;
  if (!declares && number != OpenCLDebugInfo100DebugValue) return;
  if (instructions_ == nullptr)
    instructions_ = std::make_unique<DebugInstructions>(request_.module, function_);
  const auto name = instructions_->local_name(i.operands[2]);
  if (!name) return;
  // A variable's expression may lead to its address space, a value's may do nothing; with indexes it is a
  // part of the local only.
  const bool is_plain = i.operands.size() == 5 && instructions_->is_plain(i.operands[4], declares);
  function_.take(sizeof(NamedLocal) + name->size());
  function_.debug.locals.push_back({*name, i.operands[2], is_plain ? i.operands[3] : 0, declares,
                                    position_.frame->called_from, i.word_offset});
}

void DebugNotes::finish() {
  if (!request_.options.keeps_values()) return;
  DebugInfo& debug = function_.debug;
  const std::uint32_t first_private = function_.private_slot(0);
  for (NamedVariable& variable : debug.variables) variable.slot += first_private;
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

}  // namespace transpire::vm::builder
