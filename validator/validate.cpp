// A thin wrapper of SPIRV-Tools' validator.
#include "validator/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <spirv-tools/libspirv.hpp>

#include "base/rule.h"

namespace transpire::validator {
namespace {

struct Environment {
  std::string_view name;
  spv_target_env target;
};

constexpr Environment kEnvironments[] = {
    {"opencl1.2", SPV_ENV_OPENCL_1_2},
    {"opencl2.0", SPV_ENV_OPENCL_2_0},
    {"opencl2.1", SPV_ENV_OPENCL_2_1},
    {"opencl2.2", SPV_ENV_OPENCL_2_2},
    {"opencl1.2embedded", SPV_ENV_OPENCL_EMBEDDED_1_2},
    {"opencl2.0embedded", SPV_ENV_OPENCL_EMBEDDED_2_0},
    {"opencl2.1embedded", SPV_ENV_OPENCL_EMBEDDED_2_1},
    {"opencl2.2embedded", SPV_ENV_OPENCL_EMBEDDED_2_2},
};

std::optional<spv_target_env> find_environment(std::string name) {
  std::erase_if(name, [](char c) { return c == '-' || c == ' ' || c == '_'; });
  for (const Environment& environment : kEnvironments)
    if (environment.name == name) return environment.target;
  return std::nullopt;
}

/// Fills in the place of an instruction from its number in the module, counted from 1.
void locate(const decoder::Module& module, std::size_t number, Diagnostic& diagnostic) {
  const std::vector<std::uint32_t>& words = module.words;
  for (std::size_t at = 5; at < words.size(); at += std::max(1u, words[at] >> 16)) {
    if (--number != 0) continue;
    diagnostic.word_offset = at;
    diagnostic.instruction = decoder::opcode_name(static_cast<spv::Op>(words[at] & 0xffff));
    return;
  }
}

/// The first line is the message; SPIRV-Tools appends the instruction as text on further lines.
void split_message(const char* text, Diagnostic& diagnostic) {
  std::string_view rest(text);
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  diagnostic.message = rest.substr(0, end);
  while (diagnostic.message.ends_with('.')) diagnostic.message.pop_back();
  rest.remove_prefix(end);
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of("\n "), rest.size()));
    const std::size_t stop = std::min(rest.find('\n'), rest.size());
    if (stop != 0) diagnostic.notes.emplace_back(rest.substr(0, stop));
    rest.remove_prefix(stop);
  }
}

}  // namespace

Diagnostics validate(const decoder::Module& module, const std::string& environment) {
  const std::optional<spv_target_env> target = find_environment(environment);
  if (!target) {
    Diagnostic error = make_diagnostic(
        Rule::kV0001, fmt::format("expected an OpenCL environment, found '{}'", environment));
    error.help = "opencl1.2, opencl2.0, opencl2.1, opencl2.2, or one of these with 'embedded'";
    return {error};
  }
  Diagnostics found;
  spvtools::SpirvTools tools(*target);
  tools.SetMessageConsumer([&](spv_message_level_t level, const char*,
                               const spv_position_t& position, const char* message) {
    Diagnostic diagnostic = make_diagnostic(Rule::kV0001, "");
    if (level > SPV_MSG_ERROR) diagnostic.severity = Severity::kWarning;
    split_message(message, diagnostic);
    diagnostic.input = module.input_name;
    // The validator numbers instructions; 0 stands for the module as a whole.
    if (position.index != 0) locate(module, position.index, diagnostic);
    found.push_back(std::move(diagnostic));
  });
  if (!tools.Validate(module.words) && found.empty())
    found.push_back(make_diagnostic(Rule::kV0001, "the validator rejects the module"));
  return found;
}

}  // namespace transpire::validator
