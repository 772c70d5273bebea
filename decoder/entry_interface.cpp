#include "decoder/entry_interface.h"

#include <fmt/format.h>

#include <algorithm>

#include "decoder/grammar.h"

namespace transpire::decoder {
namespace {

using spv::AddressingModel;

constexpr std::array<AddressingModel, 2> either(AddressingModel first, AddressingModel second) {
  return {first, second};
}

constexpr ExecutionModelRow kLaunchedModels[] = {
#define TRANSPIRE_EXECUTION_MODEL(name, addressing, memory) \
  {spv::ExecutionModel::name, either addressing, spv::MemoryModel::memory},
#include "decoder/execution_models.def"
};

/// The specification's name of the enumerant, or its number.
std::string spelled(OperandKind kind, std::uint32_t value) {
  const std::string_view name = enumerant_name(kind, value);
  return name.empty() ? fmt::to_string(value) : std::string(name);
}

template <typename Enumerant>
std::string spelled(OperandKind kind, Enumerant value) {
  return spelled(kind, static_cast<std::uint32_t>(value));
}

}  // namespace

const ExecutionModelRow* launched_model(spv::ExecutionModel model) {
  const auto row = std::ranges::find(kLaunchedModels, model, &ExecutionModelRow::model);
  return row == std::end(kLaunchedModels) ? nullptr : row;
}

std::string reason_against(const Module& module, const EntryPoint& entry) {
  const ExecutionModelRow* const row = launched_model(entry.model);
  if (row == nullptr)
    return fmt::format("the entry point '{}' has the execution model {}, expected Kernel",
                       entry.name, spelled(OperandKind::kExecutionModel, entry.model));
  if (std::ranges::find(row->addressing, module.addressing_model) == row->addressing.end())
    return fmt::format("the addressing model is {}, expected {} or {}",
                       spelled(OperandKind::kAddressingModel, module.addressing_model),
                       spelled(OperandKind::kAddressingModel, row->addressing[0]),
                       spelled(OperandKind::kAddressingModel, row->addressing[1]));
  if (module.memory_model != row->memory)
    return fmt::format("the memory model is {}, expected {}",
                       spelled(OperandKind::kMemoryModel, module.memory_model),
                       spelled(OperandKind::kMemoryModel, row->memory));
  return {};
}

std::vector<const EntryPoint*> launched_entry_points(const Module& module) {
  std::vector<const EntryPoint*> launched;
  for (const EntryPoint& entry : module.entry_points)
    if (launched_model(entry.model) != nullptr) launched.push_back(&entry);
  return launched;
}

bool has_attribute(const Module& module, Id parameter, spv::FunctionParameterAttribute attribute) {
  return std::ranges::any_of(module.decorations(parameter), [attribute](const Decoration& each) {
    return each.kind == spv::Decoration::FuncParamAttr && !each.operands.empty() &&
           each.operands[0] == static_cast<std::uint32_t>(attribute);
  });
}

EntryInterface::EntryInterface(const Module& module, const EntryPoint& entry)
    : module_(module), function_(module.function(entry.function)) {
  if (function_ == nullptr) return;
  inner_ = forwarded_to(module, *function_);
  for (std::size_t i = 0; i < function_->parameters.size(); ++i) {
    const bool is_forwarded = inner_ != nullptr && i < inner_->parameters.size();
    inputs_.push_back({function_->parameters[i].id, is_forwarded ? inner_->parameters[i].id : 0,
                       function_->parameters[i].type});
  }
}

std::string EntryInterface::name(std::size_t input) const {
  for (const Id id : {inputs_[input].id, inputs_[input].inner_id})
    if (const std::string_view name = module_.name(id); !name.empty()) return std::string(name);
  return fmt::format("arg{}", input);
}

bool EntryInterface::has_attribute(std::size_t input,
                                   spv::FunctionParameterAttribute attribute) const {
  return decoder::has_attribute(module_, inputs_[input].id, attribute) ||
         decoder::has_attribute(module_, inputs_[input].inner_id, attribute);
}

const Decoration* EntryInterface::decoration(std::size_t input, spv::Decoration kind) const {
  const Decoration* const outer = module_.decoration(inputs_[input].id, kind);
  return outer != nullptr ? outer : module_.decoration(inputs_[input].inner_id, kind);
}

bool EntryInterface::is_by_value(std::size_t input) const {
  const Type* const type = inputs_[input].type;
  return type != nullptr && type->kind == Type::Kind::kPointer &&
         type->storage_class == spv::StorageClass::Function &&
         has_attribute(input, spv::FunctionParameterAttribute::ByVal);
}

}  // namespace transpire::decoder
