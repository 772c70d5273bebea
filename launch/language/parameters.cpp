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

std::string binding_text(const std::array<std::uint32_t, 2>& binding) {
  return fmt::format("{}.{}", binding[0], binding[1]);
}

Result<std::size_t> find_parameter(const KernelInfo& kernel, const std::string& target) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (kernel.parameters[i].name == target) return i;
    names.push_back(kernel.parameters[i].name);
  }
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    if (const auto& at = kernel.parameters[i].binding;
        at && target == binding_text(*at) + kernel.parameters[i].binding_part)
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

namespace {

bool is_push_constants(const ParameterInfo& parameter) {
  return parameter.by_value_struct && parameter.type.address_space == "push constant";
}

/// Splits at dots, the last one first: a name may have dots of its own.
Result<ArgumentPlace> find_binding(const KernelInfo& kernel, const std::string& target) {
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : kernel.parameters)
    if (parameter.binding) names.push_back(parameter.name);
  for (std::size_t end = target.size(); end != target.npos && end != 0;
       end = target.rfind('.', end - 1)) {
    const std::string name = target.substr(0, end);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
      if (const auto& at = kernel.parameters[i].binding;
          at && (kernel.parameters[i].name == name ||
                 binding_text(*at) + kernel.parameters[i].binding_part == name))
        return ArgumentPlace{i, end == target.size() ? "" : target.substr(end + 1)};
  }
  if (names.empty())
    return command_error(kBadArgument,
                         fmt::format("kernel '{}' has no resources to bind", kernel.name),
                         fmt::format("write 'arg {} = ...' for an argument", target));
  return command_error(kBadArgument,
                       fmt::format("kernel '{}' has no resource '{}'", kernel.name, target),
                       suggestion(target, names, "resources"));
}

}  // namespace

Result<ArgumentPlace> find_place(const KernelInfo& kernel, const ArgumentSpec& spec) {
  if (spec.form == ArgumentSpec::Form::kBinding) return find_binding(kernel, spec.target);
  if (spec.form == ArgumentSpec::Form::kPush) {
    const auto found = std::ranges::find_if(kernel.parameters, is_push_constants);
    if (found == kernel.parameters.end())
      return command_error(kBadArgument,
                           fmt::format("kernel '{}' has no push constants", kernel.name));
    return ArgumentPlace{static_cast<std::size_t>(found - kernel.parameters.begin()), spec.target};
  }
  const auto index = find_parameter(kernel, spec.target);
  if (!index) return index.errors();
  return ArgumentPlace{*index};
}

std::vector<const ArgumentSpec*> new_arguments(const LaunchPlan& plan, const LaunchStep& launch,
                                               const KernelInfo& kernel, bool is_first,
                                               std::uint32_t& serial) {
  std::vector<const ArgumentSpec*> wholes(kernel.parameters.size()), arguments;
  std::vector<bool> given(wholes.size(), false);
  for (const ArgumentSpec& spec : plan.overriding)
    if (const auto place = find_place(kernel, spec); place && place->part.empty())
      wholes[place->parameter] = &spec;
  const std::uint32_t before = serial;
  for (const ArgumentSpec& spec : launch.arguments) {
    if (spec.serial <= before) continue;
    serial = std::max(serial, spec.serial);
    const auto place = find_place(kernel, spec);
    const ArgumentSpec* const whole = place ? wholes[place->parameter] : nullptr;
    // One argument of the command line replaces all parts that the file gives.
    const bool is_replaced = whole != nullptr && !place->part.empty() && given[place->parameter];
    if (!is_replaced) arguments.push_back(whole != nullptr ? whole : &spec);
    if (place) given[place->parameter] = true;
  }
  for (std::size_t i = 0; i < wholes.size() && is_first; ++i)
    if (wholes[i] != nullptr && !given[i]) arguments.push_back(wholes[i]);
  for (const ArgumentSpec& spec : plan.overriding)
    if (const auto place = find_place(kernel, spec);
        place && !place->part.empty() && (is_first || given[place->parameter]))
      arguments.push_back(&spec);
  return arguments;
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
