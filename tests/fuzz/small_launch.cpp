#include "tests/fuzz/small_launch.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

namespace transpire::fuzz {
namespace {

constexpr std::uint64_t kBufferBytes = 256;
constexpr std::uint64_t kMaxValueBytes = 1 << 16;
constexpr std::uint64_t kMaxSteps = 300;
constexpr std::uint64_t kMaxChildren = 500;
constexpr double kMaxSeconds =
    2;  ///< steps bound work-items, and a kernel may enqueue any number of them

void fill(std::span<std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 % 5);
}

/// Of a parameter's kind; `number` chooses the format. Nothing of kinds that there are not, such as multisampled lines.
std::optional<Argument> image_for(const ParameterInfo& parameter, std::size_t number) {
  constexpr const char* kFormats[][2] = {{"RGBA", "UNORM_INT8"},  {"RGBA", "FLOAT"},
                                         {"R", "SIGNED_INT32"},   {"BGRA", "UNORM_INT8"},
                                         {"RG", "UNSIGNED_INT8"}, {"RGBA", "HALF_FLOAT"}};
  const auto& format = kFormats[number % std::size(kFormats)];
  ImageDescription description;
  description.dim = parameter.image->dim;
  description.channel_order = parameter.image->depth ? "DEPTH" : format[0];
  description.channel_type = parameter.image->depth ? "FLOAT" : format[1];
  description.width = 5;
  description.height = 3;
  description.depth = 2;
  description.layers = 2;
  if (parameter.image->multisampled) description.samples = 4;
  fit_shader(*parameter.image, description);
  const Result<Image> image = Image::create(description, parameter.name);
  if (!image.ok()) return std::nullopt;
  fill(image->bytes());
  return Argument::image(*image);
}

Sampler sampler_for(std::size_t number) {
  Sampler sampler;
  sampler.addressing = static_cast<Sampler::Addressing>(number % 5);
  sampler.normalized = number % 2 != 0;
  sampler.linear = number % 3 != 0;
  return sampler;
}

/// An argument that fits the parameter, or nothing. `number` is the parameter's.
std::optional<Argument> argument_for(const ParameterInfo& parameter, std::size_t number) {
  const TypeInfo& type = parameter.type;
  if (parameter.image) return image_for(parameter, number);
  if (parameter.is_sampler) return Argument::sampler(sampler_for(number));
  if (type.kind == TypeInfo::Kind::kPointer && !parameter.by_value_struct) {
    if (type.address_space == "local") return Argument::local(64);
    const Result<Buffer> buffer = Buffer::create(kBufferBytes, parameter.name);
    require(buffer.ok(), "a small buffer was refused");
    fill(buffer->bytes());
    return Argument::buffer(*buffer);
  }
  const bool is_pointee = type.kind == TypeInfo::Kind::kPointer && !type.elements.empty();
  const std::uint64_t size = is_pointee ? type.elements[0].size_bytes : type.size_bytes;
  if (size > kMaxValueBytes) return std::nullopt;
  std::vector<std::byte> bytes(size);
  fill(bytes);
  return Argument::raw(bytes);
}

}  // namespace

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void fit_shader(const ImageParameterInfo& wanted, ImageDescription& description) {
  if (!wanted.needs_texels) return;
  constexpr std::pair<TexelType, std::array<const char*, 2>> kFormats[] = {
      {TexelType::kFloat, {"RGBA", "UNORM_INT8"}},
      {TexelType::kSigned, {"RG", "SIGNED_INT16"}},
      {TexelType::kUnsigned, {"R", "UNSIGNED_INT32"}},
      {TexelType::kSigned64, {"R", "SIGNED_INT64"}},
      {TexelType::kUnsigned64, {"R", "UNSIGNED_INT64"}}};
  for (const auto& [texels, format] : kFormats) {
    if (texels != wanted.texels || wanted.depth) continue;
    description.channel_order = format[0];
    description.channel_type = format[1];
  }
  if (!wanted.channel_order.empty()) {
    description.channel_order = wanted.channel_order;
    description.channel_type = wanted.channel_type;
  }
  if (wanted.cubes == ImageParameterInfo::Cubes::kNone) return;
  description.width = description.height = 4;
  description.layers = wanted.cubes == ImageParameterInfo::Cubes::kOne ? 6 : 12;
}

std::optional<Launch> small_launch(const Module& module, const KernelInfo& kernel) {
  Launch launch(module, kernel.name);
  for (const ParameterInfo& parameter : kernel.parameters) {
    std::optional<Argument> argument = argument_for(parameter, launch.arguments.size());
    if (!argument) return std::nullopt;
    launch.arguments.push_back(std::move(*argument));
  }
  launch.limits.max_steps = kMaxSteps;
  launch.limits.max_children = kMaxChildren;
  launch.limits.timeout_seconds = kMaxSeconds;
  launch.limits.max_findings = 20;
  launch.limits.max_memory_bytes = 256u << 20;
  launch.limits.max_printf_bytes = 1 << 12;
  launch.check_ub = true;
  return launch;
}

}  // namespace transpire::fuzz
