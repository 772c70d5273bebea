#include "decoder/entry_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "decoder/execution_models.h"
#include "decoder/reached.h"

namespace transpire::decoder {
namespace {

std::uint32_t operand_of(const Module& module, Id id, spv::Decoration kind) {
  const Decoration* const decoration = module.decoration(id, kind);
  return decoration == nullptr || decoration->operands.empty() ? 0 : decoration->operands[0];
}

/// In the order of their bindings, push constants last.
bool stands_before(const Module& module, const Variable* left, const Variable* right) {
  const auto key = [&](const Variable& variable) {
    const Binding at = binding_of(module, variable).value_or(Binding{});
    return std::tuple(variable.storage_class == spv::StorageClass::PushConstant, at.set, at.binding,
                      variable.id);
  };
  return key(*left) < key(*right);
}

/// True if each member of the struct has the decoration.
bool all_members_have(const Module& module, const Type& type, spv::Decoration kind) {
  std::vector<bool> has(type.members.size());
  for (const Decoration& each : module.decorations(type.id))
    if (each.kind == kind && each.member < has.size()) has[each.member] = true;
  return !has.empty() && std::ranges::all_of(has, std::identity{});
}

}  // namespace

std::optional<Binding> binding_of(const Module& module, const Variable& variable) {
  if (module.decoration(variable.id, spv::Decoration::Binding) == nullptr) return std::nullopt;
  return Binding{operand_of(module, variable.id, spv::Decoration::DescriptorSet),
                 operand_of(module, variable.id, spv::Decoration::Binding)};
}

bool is_resource(const Module& module, const Variable& variable) {
  switch (variable.storage_class) {
    case spv::StorageClass::UniformConstant:
      return row_of(module.memory_model).inputs == InputsAre::kVariables;
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PushConstant:
      return true;
    default:
      return false;
  }
}

bool has_attribute(const Module& module, Id parameter, spv::FunctionParameterAttribute attribute) {
  return std::ranges::any_of(module.decorations(parameter), [attribute](const Decoration& each) {
    return each.kind == spv::Decoration::FuncParamAttr && !each.operands.empty() &&
           each.operands[0] == static_cast<std::uint32_t>(attribute);
  });
}

EntryInputs::EntryInputs(const Module& module, const EntryPoint& entry)
    : module_(module), function_(module.function(entry.function)) {
  if (function_ == nullptr) return;
  const ExecutionModelRow* const row = launched_model(entry.model);
  if (row != nullptr && row->inputs == InputsAre::kVariables)
    add_variables();
  else
    add_parameters();
  for (std::size_t i = 0; i < inputs_.size(); ++i) names_.push_back(name_of(i));
}

void EntryInputs::add_parameters() {
  inner_ = forwarded_to(module_, *function_);
  for (std::size_t i = 0; i < function_->parameters.size(); ++i) {
    const bool is_forwarded = inner_ != nullptr && i < inner_->parameters.size();
    inputs_.push_back({function_->parameters[i].id, is_forwarded ? inner_->parameters[i].id : 0,
                       function_->parameters[i].type});
  }
}

void EntryInputs::add_variables() {
  std::vector<const Variable*> variables = reached_from(module_, *function_).variables;
  std::erase_if(variables,
                [&](const Variable* variable) { return !is_resource(module_, *variable); });
  std::ranges::sort(variables, [&](const Variable* left, const Variable* right) {
    return stands_before(module_, left, right);
  });
  for (const Variable* variable : variables)
    inputs_.push_back({variable->id, 0, variable->type, variable});
}

std::string EntryInputs::name_of(std::size_t input) const {
  const EntryInput& each = inputs_[input];
  if (each.variable != nullptr) return name_of_resource(input);
  for (const Id id : {each.id, each.inner_id})
    if (const std::string_view name = module_.name(id); !name.empty()) return std::string(name);
  return fmt::format("arg{}", input);
}

std::string EntryInputs::name_of_resource(std::size_t input) const {
  const Type& block = *inputs_[input].type->element;
  const bool has_one_member = block.kind == Type::Kind::kStruct && block.member_names.size() == 1;
  const bool has_member_name = has_one_member && !block.member_names[0].empty();
  std::vector<std::string> names{std::string(module_.name(inputs_[input].id)),
                                 has_member_name ? block.member_names[0] : block.name};
  if (const std::optional<Binding> at = binding(input))
    names.push_back(fmt::format("{}.{}", at->set, at->binding));
  for (const std::string& name : names)
    if (!name.empty() && std::ranges::find(names_, name) == names_.end()) return name;
  return fmt::format("arg{}", input);
}

std::optional<Binding> EntryInputs::binding(std::size_t input) const {
  const Variable* const variable = inputs_[input].variable;
  return variable == nullptr ? std::nullopt : binding_of(module_, *variable);
}

bool EntryInputs::has_attribute(std::size_t input,
                                spv::FunctionParameterAttribute attribute) const {
  return decoder::has_attribute(module_, inputs_[input].id, attribute) ||
         decoder::has_attribute(module_, inputs_[input].inner_id, attribute);
}

const Decoration* EntryInputs::decoration(std::size_t input, spv::Decoration kind) const {
  const Decoration* const outer = module_.decoration(inputs_[input].id, kind);
  return outer != nullptr ? outer : module_.decoration(inputs_[input].inner_id, kind);
}

bool EntryInputs::is_by_value(std::size_t input) const {
  const EntryInput& each = inputs_[input];
  if (each.variable != nullptr)
    return each.variable->storage_class == spv::StorageClass::PushConstant;
  return each.type != nullptr && each.type->kind == Type::Kind::kPointer &&
         each.type->storage_class == spv::StorageClass::Function &&
         has_attribute(input, spv::FunctionParameterAttribute::ByVal);
}

bool EntryInputs::is_read_only(std::size_t input) const {
  const EntryInput& each = inputs_[input];
  if (each.variable == nullptr)
    return has_attribute(input, spv::FunctionParameterAttribute::NoWrite) ||
           has_attribute(input, spv::FunctionParameterAttribute::NoReadWrite);
  const Type& block = *each.type->element;
  const bool is_uniform = each.variable->storage_class == spv::StorageClass::Uniform &&
                          module_.decoration(block.id, spv::Decoration::BufferBlock) == nullptr;
  return is_uniform || decoration(input, spv::Decoration::NonWritable) != nullptr ||
         all_members_have(module_, block, spv::Decoration::NonWritable);
}

}  // namespace transpire::decoder
