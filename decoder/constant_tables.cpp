#include "decoder/constant_tables.h"

#include <algorithm>

#include "decoder/untyped.h"

namespace transpire::decoder {
namespace {

class Search {
 public:
  Search(const Module& module, const Function& function) : module_(module), function_(function) {}

  std::unordered_map<Id, Variable> run() {
    if (function_.is_import()) return {};
    // Variables of a function stand in its first block.
    for (const Instruction& i : function_.blocks[0].instructions)
      if (i.op == spv::Op::OpVariable) note(i);
    if (tables_.empty()) return {};
    for (const Block& block : function_.blocks)
      for (const Instruction& i : block.instructions) look_at(i);
    std::erase_if(tables_, [](const auto& table) { return table.second.initializer == 0; });
    return std::move(tables_);
  }

 private:
  void note(const Instruction& i) {
    const Type* type = module_.type(i.type_id);
    if (type == nullptr || type->kind != Type::Kind::kPointer || type->element == nullptr ||
        type->storage_class != spv::StorageClass::Function || is_untyped(*type) ||
        module_.decoration(i.result_id, spv::Decoration::NonWritable) == nullptr)
      return;
    Variable table;
    table.name = module_.name(i.result_id);
    if (table.name.empty()) table.name = module_.spell_id(i.result_id);
    table.type = type;
    table.storage_class = type->storage_class;
    table.align_bytes = type->element->align_bytes;
    table.word_offset = i.word_offset;
    tables_[i.result_id] = std::move(table);
    variable_of_[i.result_id] = i.result_id;
    if (i.operands.size() > 1) hold(i.result_id, i.operands[1]);
  }

  void look_at(const Instruction& i) {
    if (i.op == spv::Op::OpVariable) return;
    for (std::size_t at = 0; at < i.operands.size(); ++at) {
      const auto known = variable_of_.find(i.operands[at]);
      if (known == variable_of_.end()) continue;
      const Id variable = known->second;
      if (at == 0 && (i.op == spv::Op::OpAccessChain || i.op == spv::Op::OpInBoundsAccessChain))
        variable_of_[i.result_id] = variable;
      else if (at == 0 && i.op == spv::Op::OpStore && i.operands[0] == variable)
        hold(variable, i.operands[1]);
      else if (at != 0 || i.op != spv::Op::OpLoad)
        tables_.erase(variable);
    }
  }

  /// The variable has this value, from its initializer or a store.
  void hold(Id variable, Id value) {
    const auto table = tables_.find(variable);
    if (table == tables_.end()) return;
    const Constant* constant = module_.constant(value);
    Variable& held = table->second;
    const bool is_composite = constant != nullptr && constant->kind == Constant::Kind::kComposite &&
                              constant->type == held.type->element;
    if (!is_composite || (held.initializer != 0 && held.initializer != value))
      tables_.erase(table);
    else
      held.id = held.initializer = value;
  }

  const Module& module_;
  const Function& function_;
  std::unordered_map<Id, Variable> tables_;
  /// The variable of each pointer into a table: access chains, and the variable itself.
  std::unordered_map<Id, Id> variable_of_;
};

}  // namespace

std::unordered_map<Id, Variable> constant_tables(const Module& module, const Function& function) {
  return Search(module, function).run();
}

}  // namespace transpire::decoder
