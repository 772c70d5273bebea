#include "opencl/build_options.h"

#include <algorithm>
#include <array>

#include "compiler/build_options.h"
#include "launch/language/shell_words.h"
#include "opencl/platform.h"
#include "transpire/launch_rules.hpp"

namespace transpire::opencl {
namespace {

/// Permissions that the linker accepts and does not use.
constexpr std::array kLinkerFlags{
    std::string_view("-cl-denorms-are-zero"),          std::string_view("-cl-no-signed-zeros"),
    std::string_view("-cl-unsafe-math-optimizations"), std::string_view("-cl-finite-math-only"),
    std::string_view("-cl-fast-relaxed-math"),         std::string_view("-cl-no-subgroup-ifp")};

bool contains(const auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool knows_standard(std::string_view standard) {
  const cl_uint major = CL_VERSION_MAJOR(environment().version);
  if (standard == "CL1.0" || standard == "CL1.1" || standard == "CL1.2") return true;
  return (standard == "CL2.0" && major >= 2) || (standard == "CL3.0" && major >= 3);
}

bool take_linker_option(std::string_view word, BuildOptions& options, bool& enables_options) {
  if (word == "-create-library") return options.create_library = true;
  if (word == "-enable-link-options") return enables_options = true;
  return contains(kLinkerFlags, word);
}

/// Takes the word at `at`, and the one behind it where it is its value.
bool take_compiler_option(const std::vector<std::string>& words, std::size_t& at,
                          BuildOptions& options) {
  const std::string& word = words[at];
  constexpr std::string_view kStandard = "-cl-std=";
  if (word.starts_with(kStandard)) {
    options.standard = word.substr(kStandard.size());
    return knows_standard(options.standard);
  }
  if (word == "-cl-opt-disable") {
    options.optimise = false;
    return true;
  }
  if (word == "-cl-uniform-work-group-size") return options.uniform_groups = true;
  if (word.starts_with("-D") || word.starts_with("-I")) {
    const bool alone = word.size() == 2;
    if (alone && at + 1 == words.size()) return false;
    const std::string value = alone ? words[++at] : word.substr(2);
    options.clang.push_back(word.substr(0, 2) + value);
    return !value.empty();
  }
  options.argument_info |= word == "-cl-kernel-arg-info";
  options.clang.push_back(word);
  return compiler::is_opencl_flag(word);
}

}  // namespace

std::optional<BuildOptions> parse_build_options(const char* text, OptionsOf of) {
  const auto words = launch::shell_words(text == nullptr ? "" : text, launch::Backslash::kEscapes);
  if (!words) return std::nullopt;
  BuildOptions options;
  bool enables_options = false;
  for (std::size_t at = 0; at < words->size(); ++at) {
    const bool taken = of == OptionsOf::kLink
                           ? take_linker_option((*words)[at], options, enables_options)
                           : take_compiler_option(*words, at, options);
    if (!taken) return std::nullopt;
  }
  if (enables_options && !options.create_library) return std::nullopt;
  return options;
}

bool has_only_uniform_groups(std::string_view standard) {
  constexpr std::string_view kCl = "CL";
  return standard.starts_with(kCl) &&
         transpire::has_only_uniform_groups("OpenCL C " + std::string(standard.substr(kCl.size())));
}

}  // namespace transpire::opencl
