#include "validator/asked_environment.h"

#include <algorithm>

namespace transpire::validator {
namespace {

/// 10 times major and minor: of 0x00010200, as the environment wants it, and of 102000, as producers write it.
std::uint32_t version_in(std::uint32_t written) {
  const std::uint32_t major = written >> 16 & 0xff;
  if (written >= 100000 && written < 1000000) return written / 100000 * 10 + written / 1000 % 10;
  return major * 10 + (written >> 8 & 0xff);
}

/// The version of OpenCL that has the language; 0 for other languages.
std::uint32_t version_of_source(const ModuleView& view, std::uint32_t instruction) {
  const auto language = static_cast<spv::SourceLanguage>(view.word(instruction, 0));
  if (language == spv::SourceLanguage::OpenCL_CPP) return 22;
  if (language != spv::SourceLanguage::OpenCL_C) return 0;
  return version_in(view.word(instruction, 1));
}

}  // namespace

Environment asked_environment(const ModuleView& view) {
  std::uint32_t wanted = 0;
  for (const std::uint32_t source : view.all(spv::Op::OpSource))
    wanted = std::max(wanted, version_of_source(view, source));
  for (const std::string& name : environment_names()) {
    const Environment environment = *find_environment(name);
    if (wanted != 0 && !environment.embedded && environment.version >= wanted &&
        environment.newest_spirv() >= view.version())
      return environment;
  }
  return {30, false};
}

}  // namespace transpire::validator
