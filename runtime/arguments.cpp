#include "runtime/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/counted.h"
#include "transpire/launch_rules.hpp"

namespace transpire::runtime {
namespace {

using vm::Parameter;

std::string_view kind_name(Argument::Kind kind) {
  switch (kind) {
    case Argument::Kind::kUnset:
      return "nothing";
    case Argument::Kind::kBuffer:
      return "a buffer";
    case Argument::Kind::kValue:
      return "a value";
    case Argument::Kind::kLocal:
      return "local memory";
    case Argument::Kind::kNull:
      return "a null pointer";
    case Argument::Kind::kShared:
      return "a pointer to shared memory";
    case Argument::Kind::kImage:
      return "an image";
    case Argument::Kind::kSampler:
      return "a sampler";
    case Argument::Kind::kPipe:
      return "a pipe";
    case Argument::Kind::kQueue:
      return "a queue";
  }
  return "nothing";
}

bool has_image(const Argument& argument) {
  return argument.kind == Argument::Kind::kImage && argument.texels &&
         argument.texels->state() != nullptr && argument.texels->state()->image != nullptr;
}

/// "a 2d image of RGBA UNORM_INT8"
std::string spell(const memory::Image& image) {
  return fmt::format("a {} image of {}{}", image_dim_name(static_cast<ImageDim>(image.dim)),
                     memory::name_of(image.format),
                     image.samples > 1 ? fmt::format(" with {} samples", image.samples) : "");
}

/// As the module's description spells it, which knows the source's words.
std::string spell_type(const Launch& launch, std::size_t index) {
  const std::vector<ParameterInfo>& all = launch.module.kernel(launch.kernel)->parameters;
  if (index >= all.size()) return "?";
  const ParameterInfo& parameter = all[index];
  const bool by_pointer = parameter.by_value_struct && !parameter.type.elements.empty();
  return by_pointer ? parameter.type.elements[0].spelling : parameter.type.spelling;
}

Diagnostic mismatch(const Launch& launch, std::size_t index, const Parameter& parameter,
                    std::string expected, std::string help = {}) {
  const Argument& argument = launch.arguments[index];
  std::string found(kind_name(argument.kind));
  if (argument.kind == Argument::Kind::kValue)
    found = fmt::format("a value of {} bytes", argument.bytes.size());
  if (has_image(argument)) found = spell(argument.texels->state()->image->image);
  Diagnostic error = make_diagnostic(
      Rule::kC0003,
      fmt::format("argument {} of kernel '{}', '{} {}': expected {}, found {}", index,
                  launch.kernel, spell_type(launch, index), parameter.name, expected, found));
  error.help = std::move(help);
  return error;
}

/// A 3-component vector takes the room of one of 4; its three components alone will do as well.
bool size_fits(const Parameter& parameter, std::uint64_t size_bytes) {
  if (size_bytes == parameter.size_bytes) return true;
  return parameter.kind == Parameter::Kind::kValue && parameter.slot_count == 3 &&
         size_bytes == parameter.element_bytes * 3;
}

Status check_value(const Launch& launch, std::size_t index, const Parameter& parameter) {
  const Argument& argument = launch.arguments[index];
  if (argument.kind == Argument::Kind::kValue && size_fits(parameter, argument.bytes.size()))
    return Unit{};
  return mismatch(launch, index, parameter,
                  fmt::format("a value of {} bytes", parameter.size_bytes));
}

Status check_pointer(const Launch& launch, std::size_t index, const Parameter& parameter) {
  const Argument& argument = launch.arguments[index];
  if (parameter.storage_class == spv::StorageClass::Workgroup) {
    if (argument.kind == Argument::Kind::kLocal && argument.local_bytes > 0) return Unit{};
    return mismatch(launch, index, parameter, "local memory of at least one byte");
  }
  if (argument.kind == Argument::Kind::kNull) return Unit{};
  if (argument.kind == Argument::Kind::kShared && launch.shared) return Unit{};
  if (argument.kind != Argument::Kind::kBuffer || !argument.memory ||
      argument.memory->state() == nullptr)
    return mismatch(launch, index, parameter, "a buffer or a null pointer");
  const std::uint64_t size = argument.memory->state()->size_bytes;
  if (argument.offset_bytes > size)
    return mismatch(launch, index, parameter,
                    fmt::format("an offset of at most {} into the buffer, which is its size", size),
                    fmt::format("the offset is {}", argument.offset_bytes));
  return Unit{};
}

/// "a 2d_array image"; what it must be beside its kind where that is all that the argument is not.
std::string spell(const ImageParameterInfo& wanted, const Argument& argument) {
  std::string text = fmt::format("a {} image", image_dim_name(wanted.dim));
  const memory::Image* const found =
      has_image(argument) ? &argument.texels->state()->image->image : nullptr;
  if (wanted.depth)
    text += " of channel order DEPTH";
  else if (found != nullptr && memory::is_depth(found->format.order))
    text += " of a channel order that is no depth";
  if (found != nullptr && memory::is_of_shaders(found->format))
    text += " of a format that kernels have";
  if (wanted.multisampled)
    text += " with several samples";
  else if (found != nullptr && found->samples > 1)
    text += " of one sample";
  return text;
}

Status check_image(const Launch& launch, std::size_t index, const Parameter& parameter) {
  const Argument& argument = launch.arguments[index];
  const std::optional<ImageParameterInfo>& wanted =
      launch.module.kernel(launch.kernel)->parameters[index].image;
  if (has_image(argument) && wanted && takes(*wanted, *argument.texels)) return Unit{};
  if (argument.kind == Argument::Kind::kNull && wanted && wanted->needs_texels) return Unit{};
  return mismatch(launch, index, parameter,
                  !wanted                ? "an image"
                  : wanted->needs_texels ? wanted_image(*wanted)
                                         : spell(*wanted, argument));
}

Status check_sampler(const Launch& launch, std::size_t index, const Parameter& parameter) {
  const Argument& argument = launch.arguments[index];
  const bool is_resource =
      launch.module.kernel(launch.kernel)->parameters[index].binding.has_value();
  if (argument.kind == Argument::Kind::kNull && is_resource) return Unit{};
  if (argument.kind != Argument::Kind::kSampler)
    return mismatch(launch, index, parameter, "a sampler");
  const Sampler& sampler = argument.sampling;
  if (sampler.addressing > Sampler::Addressing::kMirroredRepeat)
    return mismatch(launch, index, parameter, "a sampler of a known addressing mode",
                    fmt::format("its mode is {}", static_cast<unsigned>(sampler.addressing)));
  if (sampler.compare > Sampler::Compare::kAlways)
    return mismatch(launch, index, parameter, "a sampler of a known comparison",
                    fmt::format("its comparison is {}", static_cast<unsigned>(sampler.compare)));
  if (sampler.border > Sampler::Border::kOpaqueWhite)
    return mismatch(launch, index, parameter, "a sampler of a known border",
                    fmt::format("its border is {}", static_cast<unsigned>(sampler.border)));
  if (!(sampler.lod_min >= 0 && sampler.lod_max >= 0))
    return mismatch(launch, index, parameter, "a sampler whose levels of detail are not below 0",
                    fmt::format("they are from {} to {}", sampler.lod_min, sampler.lod_max));
  return Unit{};
}

Status check_pipe(const Launch& launch, std::size_t index, const Parameter& parameter) {
  const Argument& argument = launch.arguments[index];
  const std::optional<PipeParameterInfo>& wanted =
      launch.module.kernel(launch.kernel)->parameters[index].pipe;
  const bool is_pipe = argument.kind == Argument::Kind::kPipe && argument.packets &&
                       argument.packets->state() != nullptr;
  if (is_pipe && wanted && takes(*wanted, *argument.packets)) return Unit{};
  const std::uint32_t bytes = wanted ? wanted->packet_bytes : 0;
  return mismatch(
      launch, index, parameter,
      bytes == 0 ? "a pipe" : fmt::format("a pipe of packets of {} bytes", bytes),
      is_pipe ? fmt::format("its packets are of {} bytes", argument.packets->packet_bytes()) : "");
}

Status check_queue(const Launch& launch, std::size_t index, const Parameter& parameter) {
  const Argument& argument = launch.arguments[index];
  if (argument.kind == Argument::Kind::kNull) return Unit{};
  const bool is_queue = argument.kind == Argument::Kind::kQueue &&
                        std::ranges::find(launch.queues, argument.address, &DeviceQueue::handle) !=
                            launch.queues.end();
  return is_queue ? Status(Unit{})
                  : Status(mismatch(launch, index, parameter, "a queue of the launch"));
}

Status check_argument(const Launch& launch, std::size_t index, const Parameter& parameter) {
  switch (parameter.kind) {
    case Parameter::Kind::kValue:
    case Parameter::Kind::kByValue:
      return check_value(launch, index, parameter);
    case Parameter::Kind::kPointer:
      return check_pointer(launch, index, parameter);
    case Parameter::Kind::kImage:
      return check_image(launch, index, parameter);
    case Parameter::Kind::kSampler:
      return check_sampler(launch, index, parameter);
    case Parameter::Kind::kPipe:
      return check_pipe(launch, index, parameter);
    case Parameter::Kind::kQueue:
      return check_queue(launch, index, parameter);
    case Parameter::Kind::kUnsupported:
      if (launch.module.kernel(launch.kernel)->parameters[index].is_unused) return Unit{};
      break;
  }
  return mismatch(launch, index, parameter, "a parameter of a supported type");
}

std::string spell_parameters(const Launch& launch, std::span<const Parameter> parameters) {
  std::string text;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", spell_type(launch, i), parameters[i].name);
  return text;
}

}  // namespace

Status check_arguments(const Launch& launch, std::span<const Parameter> parameters) {
  if (launch.shared && launch.module.info().pointer_bits != 64)
    return make_diagnostic(Rule::kC0003,
                           "shared memory needs a module with 64-bit pointers (Physical64)");
  if (launch.arguments.size() != parameters.size()) {
    Diagnostic error =
        make_diagnostic(Rule::kC0003, fmt::format("expected {} of kernel '{}', found {}",
                                                  count_text(parameters.size(), "argument"),
                                                  launch.kernel, launch.arguments.size()));
    if (!parameters.empty())
      error.help = fmt::format("its parameters are ({})", spell_parameters(launch, parameters));
    return error;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Status status = check_argument(launch, i, parameters[i]);
    if (!status) return status;
  }
  return Unit{};
}

Status check_queues(const Launch& launch) {
  if (auto refused = refusal_of_queue_count(launch.queues.size())) return std::move(*refused);
  std::set<std::uint64_t> handles;
  for (const DeviceQueue& queue : launch.queues) {
    if (auto refused = refusal_of_queue_size(queue.size_bytes)) return std::move(*refused);
    if (queue.handle == 0 || queue.handle > UINT32_MAX)
      return make_diagnostic(Rule::kC0003,
                             fmt::format("expected 1 to {} as the handle of a queue, found {}",
                                         UINT32_MAX, queue.handle));
    if (!handles.insert(queue.handle).second)
      return make_diagnostic(Rule::kC0003,
                             fmt::format("two queues have the handle {}", queue.handle));
  }
  return Unit{};
}

void write_components(const Parameter& parameter, std::span<const std::byte> bytes,
                      std::uint64_t* slots) {
  const std::size_t size = parameter.element_bytes;
  for (std::size_t i = 0; i < parameter.slot_count; ++i) {
    const bool is_scalar = parameter.kind == Parameter::Kind::kByValue;
    const auto [offset, count] = is_scalar ? parameter.scalars[i] : vm::ScalarPlace{i * size, size};
    if (offset + count > bytes.size()) return;
    slots[i] = 0;
    std::memcpy(&slots[i], bytes.data() + offset, std::min<std::size_t>(count, 8));
  }
}

}  // namespace transpire::runtime
