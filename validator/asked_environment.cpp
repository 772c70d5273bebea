#include "validator/asked_environment.h"

#include <algorithm>

namespace transpire::validator {
namespace {

/// 10 times major and minor: of 0x00010200, as the environment wants it, and of 102000, as producers write it.
std::uint32_t version_in(std::uint32_t written) {
  const std::uint32_t major = written >> 16 & 0xff;
  const bool decimal = written >= 100000 && written < 1000000 && written % 1000 == 0;
  if (decimal) return written / 100000 * 10 + written / 1000 % 10;
  return major * 10 + (written >> 8 & 0xff);
}

/// The version of OpenCL that has the language; 0 for other languages.
std::uint32_t version_of_source(const ModuleView& view, std::uint32_t instruction) {
  const auto language = static_cast<spv::SourceLanguage>(view.word(instruction, 0));
  if (language == spv::SourceLanguage::OpenCL_CPP) return 22;
  if (language != spv::SourceLanguage::OpenCL_C) return 0;
  return version_in(view.word(instruction, 1));
}

/// The environment of a shader by its memory model; none if pointers have physical addresses as in kernels.
std::optional<Environment> shader_environment(const ModuleView& view) {
  for (const std::uint32_t model : view.all(spv::Op::OpMemoryModel)) {
    const auto addressing = static_cast<spv::AddressingModel>(view.word(model, 0));
    const auto memory = static_cast<spv::MemoryModel>(view.word(model, 1));
    if (addressing == spv::AddressingModel::Physical32 ||
        addressing == spv::AddressingModel::Physical64)
      return std::nullopt;
    // Vulkan has no memory model Simple.
    if (memory == spv::MemoryModel::Simple)
      return Environment{16, false, Environment::Api::kUniversal};
    if (memory == spv::MemoryModel::GLSL450 || memory == spv::MemoryModel::Vulkan)
      return Environment{14, false, Environment::Api::kVulkan};
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Environment asked_environment(const ModuleView& view) {
  if (const std::optional<Environment> shader = shader_environment(view)) return *shader;
  std::uint32_t wanted = 0;
  for (const std::uint32_t source : view.all(spv::Op::OpSource))
    wanted = std::max(wanted, version_of_source(view, source));
  for (const std::string& name : environment_names()) {
    const Environment environment = *find_environment(name);
    if (wanted != 0 && environment.is_opencl() && !environment.embedded &&
        environment.version >= wanted && environment.newest_spirv() >= view.version())
      return environment;
  }
  return {30, false};
}

}  // namespace transpire::validator
