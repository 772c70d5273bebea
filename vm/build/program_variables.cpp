#include "vm/build/program_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/narrow.h"
#include "decoder/constant_tables.h"
#include "decoder/entry_inputs.h"
#include "vm/build/initial.h"

namespace transpire::vm::builder {
namespace {

/// Deeper composites count as defined, which only costs their copy.
constexpr unsigned kMaxCompositeDepth = 8;

/// OpUndef, or a composite of nothing else.
bool is_undefined(const decoder::Module& module, Id id, unsigned depth) {
  const decoder::Constant* constant = module.constant(id);
  if (constant == nullptr || depth > kMaxCompositeDepth) return false;
  if (constant->kind != decoder::Constant::Kind::kComposite)
    return constant->kind == decoder::Constant::Kind::kUndef;
  for (const Id element : constant->elements)
    if (!is_undefined(module, element, depth + 1)) return false;
  return true;
}

/// The name of a Block in Workgroup memory: its own, else its struct's.
std::string block_name(const decoder::Module& module, const decoder::Variable& variable) {
  const std::string_view type_name = module.name(variable.type->element->id);
  return variable.name.empty() && !type_name.empty() ? std::string(type_name)
                                                     : variable_name(module, variable);
}

}  // namespace

std::string variable_name(const decoder::Module& module, const decoder::Variable& variable) {
  return variable.name.empty() ? module.spell_id(variable.id) : variable.name;
}

bool is_uninitialised(const decoder::Module& module, const decoder::Variable& variable) {
  return variable.initializer == 0 || is_undefined(module, variable.initializer, 0);
}

ProgramVariables::ProgramVariables(Core& core, Arguments& arguments)
    : request_(core.request),
      refusals_(core.refusals),
      function_(core.writer.function()),
      ids_(core.ids),
      arguments_(arguments) {}

ValueId ProgramVariables::workgroup_address(const decoder::Variable& variable) {
  const decoder::Constant* const initial = request_.module.constant(variable.initializer);
  const bool begins_zero = initial != nullptr && initial->kind == decoder::Constant::Kind::kNull;
  if (!begins_zero && !is_uninitialised(request_.module, variable))
    refusals_.refuse(Rule::kU0003,
                     fmt::format("the initializer of Workgroup variable '{}' is not supported",
                                 variable_name(request_.module, variable)));
  const std::uint64_t size_bytes = variable.type->element->size_bytes;
  WorkgroupVariable added{variable_name(request_.module, variable), variable.id, size_bytes,
                          variable.align_bytes, begins_zero ? size_bytes : 0};
  const bool is_block = decoder::is_shared_block(request_.module, variable);
  if (is_block) added.name = block_name(request_.module, variable);
  if (is_block && workgroup_blocks_ != kNoValue) {
    WorkgroupVariable& all = function_.workgroup_variables[first_block_];
    all.name += ", " + added.name;
    all.size_bytes = std::max(all.size_bytes, added.size_bytes);
    all.align_bytes = std::max(all.align_bytes, added.align_bytes);
    all.zeroed_bytes = std::max(all.zeroed_bytes, added.zeroed_bytes);
    return workgroup_blocks_;
  }
  if (is_block) first_block_ = function_.workgroup_variables.size();
  function_.workgroup_variables.push_back(std::move(added));
  const ValueId address = arguments_.add(VariableClass::kWorkgroup, lir::Space::kWorkgroup);
  if (is_block) workgroup_blocks_ = address;
  return address;
}

ValueId ProgramVariables::address(const decoder::Variable& variable) {
  if (const auto known = index_.find(variable.id); known != index_.end())
    return addresses_[known->second];
  ProgramVariable program;
  program.name = variable_name(request_.module, variable);
  program.id = variable.id;
  program.size_bytes = variable.type->element->size_bytes;
  program.align_bytes = variable.align_bytes;
  program.is_constant =
      variable.storage_class != spv::StorageClass::CrossWorkgroup ||
      request_.module.decoration(variable.id, spv::Decoration::Constant) != nullptr;
  const bool is_global = variable.storage_class == spv::StorageClass::CrossWorkgroup;
  return add(std::move(program), is_global ? lir::Space::kGlobal : lir::Space::kConstant);
}

std::optional<ValueId> ProgramVariables::table_address(const decoder::Function& function,
                                                       Id variable) {
  if (!tables_.contains(function.id))
    tables_[function.id] = decoder::constant_tables(request_.module, function);
  const auto table = tables_[function.id].find(variable);
  if (table == tables_[function.id].end()) return std::nullopt;
  if (const auto known = index_.find(table->second.id); known != index_.end())
    return addresses_[known->second];
  return add_table(table->second);
}

ValueId ProgramVariables::add_table(const decoder::Variable& table) {
  ProgramVariable made;
  made.name = table.name;
  made.id = table.id;
  made.size_bytes = table.type->element->size_bytes;
  made.align_bytes = table.align_bytes;
  made.is_constant = true;
  const std::string wrong = make_initial(request_.module, table, made);
  function_.take(made.initial.size());
  if (!wrong.empty())
    refusals_.refuse(Rule::kU0003,
                     fmt::format("the initializer of variable '{}': {}", made.name, wrong));
  return add(std::move(made), lir::Space::kConstant);
}

ValueId ProgramVariables::pipe(Id storage, std::uint32_t packet_bytes, std::uint32_t max_packets) {
  if (const auto known = index_.find(storage); known != index_.end())
    return addresses_[known->second];
  ProgramVariable variable;
  variable.name = request_.module.spell_id(storage);
  variable.id = storage;
  variable.packet_bytes = packet_bytes;
  variable.max_packets = max_packets;
  return add(std::move(variable), lir::Space::kGeneric);
}

ValueId ProgramVariables::add(ProgramVariable variable, lir::Space space) {
  const auto index = narrow<std::uint32_t>(function_.program_variables.size());
  index_.emplace(variable.id, index);
  function_.program_variables.push_back(std::move(variable));
  const ValueId address = arguments_.add(VariableClass::kProgram, space);
  addresses_.push_back(address);
  index_at_[address] = index;
  fill_initial();
  return address;
}

const ProgramVariable* ProgramVariables::variable_at(ValueId address) const {
  const auto known = index_at_.find(address);
  return known == index_at_.end() ? nullptr : &function_.program_variables[known->second];
}

/// Makes the initial bytes of new program variables, and of those that they point to: these join
/// the list while the loop runs.
void ProgramVariables::fill_initial() {
  if (std::exchange(filling_, true)) return;
  while (!refusals_.failed() && filled_ < function_.program_variables.size()) {
    ProgramVariable made = function_.program_variables[filled_];
    const decoder::Variable* const variable = request_.module.variable(made.id);
    if (variable == nullptr) {  // pipe storage, or a table that has its bytes
      ++filled_;
      continue;
    }
    const std::string wrong = make_initial(request_.module, *variable, made);
    function_.take(made.initial.size());
    if (!wrong.empty())
      return refusals_.refuse(
          Rule::kU0003, fmt::format("the initializer of variable '{}': {}", made.name, wrong));
    const std::vector<ProgramVariable::Relocation> relocations = made.relocations;
    function_.program_variables[filled_++] = std::move(made);
    for (const auto& relocation : relocations) {
      if (ids_.address(relocation.target).empty())
        return refusals_.malformed("an initializer points to no variable");
    }
  }
  filling_ = false;
}

}  // namespace transpire::vm::builder
