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

/// The most descriptors in arrays, and images and samplers, of an entry point. Variables with more are refused.
constexpr std::uint64_t kMaxDescriptors = 4096;

/// The images, samplers, combined ones and blocks of a type; more than kMaxDescriptors for other types, and for run-time arrays.
std::uint64_t descriptor_count(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kImage:
    case Type::Kind::kSampler:
    case Type::Kind::kSampledImage:
    case Type::Kind::kStruct:
      return 1;
    case Type::Kind::kArray:
      if (type.is_runtime_array || type.count > kMaxDescriptors) return kMaxDescriptors + 1;
      return type.count * std::min(descriptor_count(*type.element), kMaxDescriptors + 1);
    default:
      return kMaxDescriptors + 1;
  }
}

/// Bytes of the descriptors of a type, which has no run-time array.
std::uint64_t descriptor_bytes(const Type& type) {
  if (type.kind == Type::Kind::kArray) return type.count * descriptor_bytes(*type.element);
  return type.kind == Type::Kind::kStruct ? EntryInput::kBlockBytes : type.size_bytes;
}

/// The elements of a variable's outermost array, which the module or its user says; 1 where there is none.
std::uint64_t length_of(const Module& module, const Variable& variable) {
  const Type& type = *variable.type->element;
  if (!type.is_runtime_array) return type.kind == Type::Kind::kArray ? type.count : 1;
  const std::optional<Binding> at = binding_of(module, variable);
  const auto known =
      at ? module.descriptor_counts.find({at->set, at->binding}) : module.descriptor_counts.end();
  return known == module.descriptor_counts.end() ? 1 : std::max(known->second, 1u);
}

/// The type of a variable's block or image, in arrays or not.
const Type& descriptor_type(const Variable& variable) {
  const Type* type = variable.type->element;
  while (type->kind == Type::Kind::kArray) type = type->element;
  return *type;
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

bool is_shared_block(const Module& module, const Variable& variable) {
  return variable.storage_class == spv::StorageClass::Workgroup &&
         module.has_capability(spv::Capability::WorkgroupMemoryExplicitLayoutKHR) &&
         module.decoration(variable.type->element->id, spv::Decoration::Block) != nullptr;
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
  // Names that the module gives go first; the text may call another resource by one.
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (names_[i].empty()) names_[i] = other_name_of(i);
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
  for (const Variable* variable : variables) add_resource(*variable);
}

void EntryInputs::add_resource(const Variable& variable) {
  const EntryInput whole{variable.id, 0, variable.type, &variable};
  const Type& pointee = *variable.type->element;
  const bool is_array = pointee.kind == Type::Kind::kArray;
  const std::uint64_t length = length_of(module_, variable);
  const std::uint64_t each = descriptor_count(is_array ? *pointee.element : pointee);
  const bool is_one_block =
      variable.storage_class != spv::StorageClass::UniformConstant && !is_array;
  if (is_one_block || length > kMaxDescriptors || each > kMaxDescriptors ||
      inputs_.size() + length * each > kMaxDescriptors)
    inputs_.push_back(whole);
  else if (is_array)
    add_elements(pointee, length, whole);
  else
    add_descriptors(pointee, whole);
}

void EntryInputs::add_elements(const Type& array, std::uint64_t length, const EntryInput& at) {
  for (std::uint64_t i = 0; i < length; ++i) {
    EntryInput element = at;
    element.offset_bytes += i * descriptor_bytes(*array.element);
    element.part += fmt::format("[{}]", i);
    add_descriptors(*array.element, std::move(element));
  }
}

/// One input for each image, sampler and block that the type holds.
void EntryInputs::add_descriptors(const Type& type, EntryInput at) {
  if (type.kind == Type::Kind::kArray) return add_elements(type, type.count, at);
  auto made = std::make_shared<Type>();
  made->size_bytes = made->align_bytes = module_.pointer_bytes();
  if (type.kind == Type::Kind::kStruct) {
    made->kind = Type::Kind::kPointer;
    made->storage_class = at.variable->storage_class;
    made->element = &type;
    at.type = made.get();
  } else {
    at.type = type.kind == Type::Kind::kSampledImage ? type.element : &type;
  }
  inputs_.push_back(at);
  // A texel buffer has no sampler.
  if (type.kind == Type::Kind::kSampledImage && type.element->image.dim != spv::Dim::Buffer) {
    made->kind = Type::Kind::kSampler;
    at.type = made.get();
    at.offset_bytes += made->size_bytes;
    at.part += ".sampler";
    inputs_.push_back(std::move(at));
  }
  made_.push_back(std::move(made));
}

std::uint64_t EntryInputs::table_bytes(const Variable& variable) const {
  const Type& type = *variable.type->element;
  return type.kind == Type::Kind::kArray
             ? length_of(module_, variable) * descriptor_bytes(*type.element)
             : descriptor_bytes(type);
}

std::string EntryInputs::name_of(std::size_t input) const {
  const EntryInput& each = inputs_[input];
  if (each.variable != nullptr) return name_of_resource(input);
  for (const Id id : {each.id, each.inner_id})
    if (const std::string_view name = module_.name(id); !name.empty()) return std::string(name);
  return fmt::format("arg{}", input);
}

std::string EntryInputs::name_of_resource(std::size_t input) const {
  const Type& block = descriptor_type(*inputs_[input].variable);
  const bool has_one_member = block.kind == Type::Kind::kStruct && block.member_names.size() == 1;
  const bool has_member_name = has_one_member && !block.member_names[0].empty();
  return unused_name(
      input, {std::string(module_.name(inputs_[input].id)),
              has_member_name ? block.member_names[0] : std::string(module_.name(block.id))});
}

std::string EntryInputs::other_name_of(std::size_t input) const {
  std::vector<std::string> names;
  // A text may name what no OpName does: %words, but not %12.
  const std::string in_text = module_.spell_id(inputs_[input].id).substr(1);
  if (in_text.find_first_of("0123456789") != 0) names.push_back(in_text);
  if (const std::optional<Binding> at = binding(input))
    names.push_back(fmt::format("{}.{}", at->set, at->binding));
  const std::string found = unused_name(input, names);
  return found.empty() ? fmt::format("arg{}", input) : found;
}

std::string EntryInputs::unused_name(std::size_t input,
                                     const std::vector<std::string>& names) const {
  const std::string& part = inputs_[input].part;
  for (const std::string& name : names)
    if (!name.empty() && std::ranges::find(names_, name + part) == names_.end()) return name + part;
  return {};
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
  const Type& block = descriptor_type(*each.variable);
  const bool is_uniform = each.variable->storage_class == spv::StorageClass::Uniform &&
                          module_.decoration(block.id, spv::Decoration::BufferBlock) == nullptr;
  return is_uniform || decoration(input, spv::Decoration::NonWritable) != nullptr ||
         all_members_have(module_, block, spv::Decoration::NonWritable);
}

}  // namespace transpire::decoder
