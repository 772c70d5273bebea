#include "decoder/entry_inputs.h"

#include <fmt/format.h>

#include <algorithm>

namespace transpire::decoder {
bool has_attribute(const Module& module, Id parameter, spv::FunctionParameterAttribute attribute) {
  return std::ranges::any_of(module.decorations(parameter), [attribute](const Decoration& each) {
    return each.kind == spv::Decoration::FuncParamAttr && !each.operands.empty() &&
           each.operands[0] == static_cast<std::uint32_t>(attribute);
  });
}

EntryInputs::EntryInputs(const Module& module, const EntryPoint& entry)
    : module_(module), function_(module.function(entry.function)) {
  if (function_ == nullptr) return;
  inner_ = forwarded_to(module, *function_);
  for (std::size_t i = 0; i < function_->parameters.size(); ++i) {
    const bool is_forwarded = inner_ != nullptr && i < inner_->parameters.size();
    inputs_.push_back({function_->parameters[i].id, is_forwarded ? inner_->parameters[i].id : 0,
                       function_->parameters[i].type});
  }
}

std::string EntryInputs::name(std::size_t input) const {
  for (const Id id : {inputs_[input].id, inputs_[input].inner_id})
    if (const std::string_view name = module_.name(id); !name.empty()) return std::string(name);
  return fmt::format("arg{}", input);
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
  const Type* const type = inputs_[input].type;
  return type != nullptr && type->kind == Type::Kind::kPointer &&
         type->storage_class == spv::StorageClass::Function &&
         has_attribute(input, spv::FunctionParameterAttribute::ByVal);
}

}  // namespace transpire::decoder
