// SPIRV-Tools' validator, as an opinion beside our own.
#include <fmt/format.h>

#include <algorithm>
#include <spirv-tools/libspirv.hpp>

#include "base/rule.h"
#include "decoder/debug_words.h"
#include "decoder/module.h"
#include "decoder/readable.h"
#include "validator/environment.h"
#include "validator/validate.h"

namespace transpire::validator {
namespace {

spv_target_env target_of(const Environment& environment) {
  switch (environment.version) {
    case 12:
      return environment.embedded ? SPV_ENV_OPENCL_EMBEDDED_1_2 : SPV_ENV_OPENCL_1_2;
    case 20:
      return environment.embedded ? SPV_ENV_OPENCL_EMBEDDED_2_0 : SPV_ENV_OPENCL_2_0;
    case 21:
      return environment.embedded ? SPV_ENV_OPENCL_EMBEDDED_2_1 : SPV_ENV_OPENCL_2_1;
    default:
      return environment.embedded ? SPV_ENV_OPENCL_EMBEDDED_2_2 : SPV_ENV_OPENCL_2_2;
  }
}

/// The first line is the message; SPIRV-Tools appends the instruction as text on further lines.
void split_message(std::string_view rest, Diagnostic& diagnostic) {
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

/// Names that are the same are told apart by numbers, tried one after the other for each: quadratic.
constexpr std::size_t kMostFriendlyNames = 512;

std::size_t count_names(std::span<const std::uint32_t> words) {
  std::size_t count = 0;
  for (std::size_t at = 5; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16)
    count += static_cast<spv::Op>(words[at] & 0xffff) == spv::Op::OpName ? 1 : 0;
  return count;
}

}  // namespace

Diagnostics second_opinion(std::span<const std::uint32_t> words, std::string_view environment,
                           const std::string& input_name) {
  Diagnostics found;
  const std::optional<Environment> known = find_environment(environment);
  spvtools::SpirvTools tools(target_of(known.value_or(Environment{})));
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& position,
                               const char* message) {
    Diagnostic diagnostic = make_diagnostic(Rule::kV0001, "");
    split_message(message, diagnostic);
    diagnostic.message = fmt::format("SPIRV-Tools' validator says: {}", diagnostic.message);
    diagnostic.input = input_name;
    // The validator numbers instructions; 0 stands for the module as a whole.
    const std::size_t offset =
        position.index == 0 ? 0 : decoder::offset_with_debug_info(words, position.index);
    if (offset != 0 && offset < words.size()) {
      diagnostic.word_offset = offset;
      diagnostic.instruction = decoder::opcode_name(static_cast<spv::Op>(words[offset] & 0xffff));
    }
    found.push_back(std::move(diagnostic));
  });
  spvtools::ValidatorOptions options;
  options.SetFriendlyNames(count_names(words) <= kMostFriendlyNames);
  // It takes what llvm-spirv says of functions (DebugFunction) for a mistake.
  const std::vector<std::uint32_t> judged = decoder::without_debug_info(words);
  if (!tools.Validate(judged.data(), judged.size(), options) && found.empty())
    found.push_back(make_diagnostic(Rule::kV0001, "SPIRV-Tools' validator rejects the module"));
  return found;
}

}  // namespace transpire::validator
