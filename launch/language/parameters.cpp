#include "launch/language/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/counted.h"
#include "launch/language/image_argument.h"
#include "launch/language/layout.h"
#include "launch/language/pipe_argument.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {

const TypeInfo* pointee_of(const ParameterInfo& parameter) {
  return parameter.type.elements.empty() ? nullptr : &parameter.type.elements[0];
}

const TypeInfo& value_type(const ParameterInfo& parameter) {
  return parameter.by_value_struct && !parameter.type.elements.empty() ? parameter.type.elements[0]
                                                                       : parameter.type;
}

ParameterKind kind_of(const ParameterInfo& parameter) {
  if (parameter.image) return ParameterKind::kImage;
  if (parameter.is_sampler) return ParameterKind::kSampler;
  if (parameter.pipe) return ParameterKind::kPipe;
  if (parameter.is_queue) return ParameterKind::kQueue;
  if (parameter.type.kind == TypeInfo::Kind::kOther) return ParameterKind::kOpaque;
  if (parameter.type.kind != TypeInfo::Kind::kPointer || parameter.by_value_struct)
    return ParameterKind::kValue;
  const TypeInfo* pointee = pointee_of(parameter);
  const bool is_opaque = pointee != nullptr && pointee->kind == TypeInfo::Kind::kOther;
  if (is_opaque && (parameter.binding ||
                    (pointee->size_bytes == 0 && parameter.type.address_space == "private")))
    return ParameterKind::kOpaque;
  return parameter.type.address_space == "local" ? ParameterKind::kLocal : ParameterKind::kBuffer;
}

Result<std::size_t> find_parameter(const KernelInfo& kernel, const std::string& target) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (kernel.parameters[i].name == target) return i;
    names.push_back(kernel.parameters[i].name);
  }
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    if (const auto& at = kernel.parameters[i].binding;
        at &&
        target == fmt::format("{}.{}{}", (*at)[0], (*at)[1], kernel.parameters[i].binding_part))
      return i;
  const bool is_index = target.find_first_not_of("0123456789") == std::string::npos;
  if (is_index && !target.empty() && target.size() < 6) {
    const std::size_t index = std::stoul(target);
    if (index < names.size()) return index;
    return command_error(kBadArgument,
                         fmt::format("kernel '{}' has {}, there is no argument {}", kernel.name,
                                     count_text(names.size(), "argument"), target));
  }
  return command_error(kBadArgument,
                       fmt::format("kernel '{}' has no argument '{}'", kernel.name, target),
                       suggestion(target, names, "arguments"));
}

Result<const KernelInfo*> find_kernel(const ModuleInfo& module, const std::string& name) {
  std::vector<std::string> names;
  const KernelInfo* only = nullptr;
  for (const KernelInfo& kernel : module.kernels) {
    if (kernel.name == name) return &kernel;
    if (kernel.is_enqueued) continue;
    names.push_back(kernel.name);
    only = &kernel;
  }
  if (name.empty() && names.size() == 1) return only;
  if (name.empty() && !names.empty())
    return command_error(kNoSuchKernel, "the launch names no kernel, and the module has several",
                         suggestion(name, names, "kernels"));
  return command_error(kNoSuchKernel,
                       name.empty() ? "the module has no kernels"
                                    : fmt::format("the module has no kernel '{}'", name),
                       suggestion(name, names, "kernels"));
}

std::uint64_t template_elements(const ParameterInfo& parameter, const TemplateSizes& sizes) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
  const TypeInfo* const pointee = pointee_of(parameter);
  const std::uint64_t stride = pointee == nullptr ? 1 : stride_bytes(*pointee);
  return std::clamp<std::uint64_t>(sizes.elements, 1,
                                   std::max<std::uint64_t>(kMostBytes / stride, 1));
}

std::string argument_template(const ParameterInfo& parameter, const TemplateSizes& sizes) {
  switch (kind_of(parameter)) {
    case ParameterKind::kLocal:
      return fmt::format("{} = local:{}", parameter.name, sizes.local_bytes);
    case ParameterKind::kImage:
      return fmt::format("{} = {}", parameter.name, image_template(*parameter.image, sizes.image));
    case ParameterKind::kSampler:
      return fmt::format("{} = sampler clamp_to_edge nearest{}", parameter.name,
                         parameter.binding ? " normalized" : "");
    case ParameterKind::kPipe:
      return fmt::format("{} = {}", parameter.name, pipe_template(parameter, sizes.packets));
    case ParameterKind::kQueue:
      return fmt::format("{} = queue", parameter.name);
    case ParameterKind::kValue: {
      const TypeInfo& type = value_type(parameter);
      if (leaves_of(type).empty())
        return fmt::format("{} = bytes:zero:{}", parameter.name, type.size_bytes);
      return fmt::format("{} = {}{}", parameter.name,
                         type.kind == TypeInfo::Kind::kStruct ? "struct " : "", zero_literal(type));
    }
    default:
      break;
  }
  const TypeInfo* pointee = pointee_of(parameter);
  const std::optional<TypeWord> word =
      pointee == nullptr ? std::nullopt : type_word(pointee->spelling);
  // Elements of a shader may stand apart from each other otherwise than those of the type's name.
  const bool named = word && stride_bytes(type_of(*word)) == stride_bytes(*pointee);
  const bool known = pointee != nullptr && pointee->size_bytes != 0;
  return fmt::format("{} = {}zero:{}", parameter.name,
                     named   ? pointee->spelling + ":"
                     : known ? ""
                             : "bytes:",
                     template_elements(parameter, sizes));
}

}  // namespace transpire::launch
