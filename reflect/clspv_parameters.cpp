#include "reflect/clspv_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "decoder/entry_inputs.h"
#include "reflect/describe.h"
#include "reflect/source_types.h"

namespace transpire::reflect {
namespace {

using decoder::ClspvArgument;
using decoder::ClspvCarrier;
using decoder::ClspvOp;
using decoder::Type;
using enum decoder::ClspvOperand;

/// Words of the OpenCL API for ArgumentInfo's qualifiers (CL_KERNEL_ARG_*).
constexpr std::uint32_t kConstantSpace = 0x119D, kReadOnly = 0x11A0, kWriteOnly = 0x11A1,
                        kReadWrite = 0x11A2, kConst = 1, kRestrict = 2, kVolatile = 4;

/// Finds the variables and constants that arguments are in.
class Places {
 public:
  Places(const decoder::Module& module, const decoder::ClspvKernel& kernel)
      : module_(module), arrays_(decoder::local_arrays(module)) {
    if (const decoder::EntryPoint* const entry = module.entry_point(kernel.name)) {
      const decoder::EntryInputs inputs(module, *entry);
      for (const decoder::EntryInput& input : inputs.all()) used_.push_back(input.variable);
    }
    for (const decoder::Constant& constant : module.constants)
      if (constant.has_spec_id) spec_constants_[constant.spec_id] = &constant;
  }

  /// The variable of the argument, one that the kernel uses if there is one; null if there is none.
  const decoder::Variable* variable(const ClspvArgument& argument) const {
    const auto is_argument = [&](const decoder::Variable* each) { return is_at(*each, argument); };
    const auto used = std::ranges::find_if(used_, is_argument);
    if (used != used_.end()) return *used;
    const auto any = std::ranges::find_if(
        module_.variables, [&](const decoder::Variable& each) { return is_at(each, argument); });
    return any == module_.variables.end() ? nullptr : &*any;
  }
  /// The type of the image or sampler that the argument is; null if it is none.
  const Type* handle(const ClspvArgument& argument) const {
    const ClspvCarrier carrier = decoder::carrier_of(argument.op);
    if (carrier < ClspvCarrier::kSampledImage) return nullptr;
    const decoder::Variable* const found = variable(argument);
    return found == nullptr ? nullptr : found->type->element;
  }
  /// The array of a local argument; null if the module does not use it.
  const decoder::Variable* array(const ClspvArgument& argument) const {
    const auto length = spec_constants_.find(argument[kSpecId]);
    if (length == spec_constants_.end()) return nullptr;
    const auto found = arrays_.find(length->second->id);
    return found == arrays_.end() ? nullptr : found->second;
  }

 private:
  bool is_at(const decoder::Variable& variable, const ClspvArgument& argument) const {
    const ClspvCarrier carrier = decoder::carrier_of(argument.op);
    if (!decoder::is_resource(module_, variable) ||
        decoder::carrier_of(module_, variable) != carrier)
      return false;
    if (carrier == ClspvCarrier::kPushConstant) return true;
    const auto at = decoder::binding_of(module_, variable);
    return at && at->set == argument[kSet] && at->binding == argument[kBinding];
  }

  const decoder::Module& module_;
  std::vector<const decoder::Variable*> used_;
  std::unordered_map<decoder::Id, const decoder::Variable*> arrays_;  ///< see local_arrays()
  std::unordered_map<std::uint32_t, const decoder::Constant*> spec_constants_;
};

/// Bytes of which nothing says what they are.
TypeInfo bytes_of(std::uint32_t size) {
  TypeInfo byte;
  byte.kind = TypeInfo::Kind::kInt;
  byte.spelling = "uchar";
  byte.width_bits = 8;
  byte.size_bytes = 1;
  TypeInfo type;
  type.kind = TypeInfo::Kind::kArray;
  type.spelling = fmt::format("uchar[{}]", size);
  type.count = type.size_bytes = size;
  type.elements = {std::move(byte)};
  return type;
}

/// A vector of three has the room of four in OpenCL C, and a struct that of its last member's alignment.
std::uint64_t bytes_in_source(const Type& type, std::uint32_t size) {
  const bool is_triple = type.kind == Type::Kind::kVector && type.count == 3;
  return is_triple ? type.element->size_bytes * 4 : std::max<std::uint64_t>(type.size_bytes, size);
}

/// The value in a block that begins at the argument's offset and has no more bytes than the argument.
TypeInfo describe_value(const Type& block, const ClspvArgument& argument) {
  const std::uint32_t size = argument[kSize];
  const Type* of_array = nullptr;
  for (std::size_t i = 0; i < block.members.size(); ++i) {
    const Type& member = *block.members[i];
    if (block.member_offsets[i] > argument[kOffset]) continue;
    if (member.kind == Type::Kind::kArray) of_array = member.element;
    const bool is_value = block.member_offsets[i] == argument[kOffset] &&
                          member.size_bytes <= size && member.size_bytes * 2 > size;
    if (!is_value) continue;
    // clspv may put the bytes of all arguments into a struct of integers.
    if (auto named = type_named(argument.type_name);
        member.kind == Type::Kind::kStruct && named && named->size_bytes == size)
      return *named;
    TypeInfo info = describe(member);
    info.size_bytes = bytes_in_source(member, size);
    return info;
  }
  // clspv may take the bytes of several kernels' arguments as one array of integers.
  if (auto named = type_named(argument.type_name); named && named->size_bytes >= size)
    return *named;
  if (of_array != nullptr && of_array->size_bytes == size) return describe(*of_array);
  return bytes_of(size);
}

/// A pointer to the elements that the block has.
TypeInfo describe_pointer(const decoder::Variable& variable, std::string_view space) {
  TypeInfo info = describe_resource(*variable.type);
  const Type& block = *variable.type->element;
  const bool is_array = block.kind == Type::Kind::kStruct && block.members.size() == 1 &&
                        block.members[0]->kind == Type::Kind::kArray &&
                        !block.members[0]->is_runtime_array && !info.elements.empty();
  if (is_array) {
    info.elements = {describe(*block.members[0]->element)};
    info.elements[0].size_bytes = block.members[0]->stride_bytes;
  }
  info.address_space = space;
  info.spelling =
      fmt::format("{} {}*", space, info.elements.empty() ? "void" : info.elements[0].spelling);
  return info;
}

TypeInfo describe_local(const decoder::Variable* array, std::uint32_t element_bytes) {
  TypeInfo info;
  info.kind = TypeInfo::Kind::kPointer;
  info.size_bytes = info.align_bytes = 8;
  info.address_space = "local";
  TypeInfo element =
      array == nullptr ? bytes_of(element_bytes) : describe(*array->type->element->element);
  element.size_bytes = element_bytes;
  info.spelling = fmt::format("local {}*", element.spelling);
  info.elements = {std::move(element)};
  return info;
}

/// A pointer to what the type's name says.
TypeInfo describe_address(std::string_view type_name, std::string_view space) {
  TypeInfo info;
  info.kind = TypeInfo::Kind::kPointer;
  info.size_bytes = info.align_bytes = 8;
  info.address_space = space;
  if (type_name.ends_with('*')) type_name.remove_suffix(1);
  if (auto element = type_named(type_name)) info.elements = {std::move(*element)};
  info.spelling =
      fmt::format("{} {}*", space, info.elements.empty() ? "void" : info.elements[0].spelling);
  return info;
}

std::string describe_place(const ClspvArgument& argument) {
  const auto at = [&] { return fmt::format("{}.{}", argument[kSet], argument[kBinding]); };
  const std::string offset = fmt::format("offset {}", argument[kOffset]);
  const bool is_part = argument[kSize] != 0;
  switch (decoder::carrier_of(argument.op)) {
    case ClspvCarrier::kStorageBuffer:
      return fmt::format("storage buffer {}{}", at(), is_part ? ", " + offset : "");
    case ClspvCarrier::kUniform:
      return fmt::format("uniform buffer {}{}", at(), is_part ? ", " + offset : "");
    case ClspvCarrier::kPushConstant:
      return "push constants, " + offset;
    case ClspvCarrier::kSpecConstant:
      return fmt::format("array of the length of specialisation constant {}", argument[kSpecId]);
    case ClspvCarrier::kSampler:
      return "sampler " + at();
    default:
      return "image " + at();
  }
}

TypeInfo type_of(const Places& places, const ClspvArgument& argument) {
  if (argument.op == ClspvOp::kArgumentWorkgroup)
    return describe_local(places.array(argument), argument[kElementSize]);
  if (const Type* const handle = places.handle(argument)) return describe(*handle);
  const bool is_constant = argument.op == ClspvOp::kArgumentUniform ||
                           (argument.info && (*argument.info)[kAddressQualifier] == kConstantSpace);
  const std::string_view space = is_constant ? "constant" : "global";
  if (decoder::is_address(argument.op)) return describe_address(argument.type_name, space);
  const decoder::Variable* const variable = places.variable(argument);
  if (variable == nullptr) return {};
  return decoder::is_value(argument.op) ? describe_value(*variable->type->element, argument)
                                        : describe_pointer(*variable, space);
}

std::string spell_access(std::uint32_t qualifier) {
  return qualifier == kReadOnly    ? "read_only"
         : qualifier == kWriteOnly ? "write_only"
         : qualifier == kReadWrite ? "read_write"
                                   : "";
}

std::string argument_name(const ClspvArgument& argument) {
  return argument.name.empty() ? fmt::format("arg{}", argument.ordinal())
                               : std::string(argument.name);
}

ParameterInfo describe_argument(const Places& places, const ClspvArgument& argument) {
  ParameterInfo info;
  info.name = argument_name(argument);
  info.type = type_of(places, argument);
  info.source_type = argument.type_name;
  follow_source(argument.type_name, info.type);
  info.place = describe_place(argument);
  if (decoder::is_descriptor(argument.op)) info.binding = {argument[kSet], argument[kBinding]};
  info.no_write = argument.op == ClspvOp::kArgumentUniform;
  if (const Type* const handle = places.handle(argument)) {
    info.is_sampler = handle->kind == Type::Kind::kSampler;
    if (!info.is_sampler) info.image = describe_image(*handle);
  }
  if (!argument.info) return info;
  const std::uint32_t qualifiers = (*argument.info)[kTypeQualifier];
  info.is_const = (qualifiers & kConst) != 0;
  info.is_restrict = (qualifiers & kRestrict) != 0;
  info.is_volatile = (qualifiers & kVolatile) != 0;
  info.access = spell_access((*argument.info)[kAccessQualifier]);
  return info;
}

}  // namespace

std::vector<ParameterInfo> clspv_parameters(const decoder::Module& module,
                                            const decoder::ClspvKernel& kernel) {
  const Places places(module, kernel);
  std::vector<ParameterInfo> parameters;
  const auto add_unused = [&](std::uint32_t end) {
    while (parameters.size() < end) {
      ParameterInfo& unused = parameters.emplace_back();
      unused.name = fmt::format("arg{}", parameters.size() - 1);
      unused.is_unused = true;
      unused.type.spelling = "unused";
    }
  };
  for (const ClspvArgument& argument : kernel.arguments) {
    add_unused(argument.ordinal());
    parameters.push_back(describe_argument(places, argument));
  }
  add_unused(kernel.parameter_count);
  return parameters;
}

std::vector<std::pair<decoder::Id, std::string>> clspv_variable_names(
    const decoder::Module& module, const decoder::ClspvKernel& kernel) {
  const Places places(module, kernel);
  std::vector<std::pair<decoder::Id, std::string>> names;
  for (const ClspvArgument& argument : kernel.arguments) {
    const decoder::Variable* const variable =
        decoder::is_descriptor(argument.op)          ? places.variable(argument)
        : argument.op == ClspvOp::kArgumentWorkgroup ? places.array(argument)
                                                     : nullptr;
    if (variable != nullptr) names.emplace_back(variable->id, argument_name(argument));
  }
  return names;
}

std::optional<std::array<std::uint64_t, 3>> clspv_required_size(
    const decoder::ClspvReflection& reflection, const decoder::ClspvKernel& kernel,
    const std::optional<std::array<std::uint64_t, 3>>& local_size) {
  for (const decoder::ClspvFact& fact : kernel.facts)
    if (fact.op == ClspvOp::kPropertyRequiredWorkgroupSize)
      return std::array<std::uint64_t, 3>{fact[kX], fact[kY], fact[kZ]};
  if (reflection.fact(ClspvOp::kSpecConstantWorkgroupSize) != nullptr) return std::nullopt;
  return local_size;
}

std::uint64_t clspv_local_argument_bytes(const decoder::Module& module,
                                         const decoder::ClspvKernel& kernel) {
  const Places places(module, kernel);
  std::uint64_t bytes = 0;
  for (const ClspvArgument& argument : kernel.arguments)
    if (argument.op == ClspvOp::kArgumentWorkgroup)
      if (const decoder::Variable* const array = places.array(argument))
        bytes += array->type->element->size_bytes;
  return bytes;
}

}  // namespace transpire::reflect
