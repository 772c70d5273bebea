// SPIRV-Tools' validator, as an opinion beside our own.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <spirv-tools/libspirv.hpp>

#include "base/rule.h"
#include "decoder/debug_words.h"
#include "decoder/module.h"
#include "decoder/readable.h"
#include "validator/environment.h"
#include "validator/spelling.h"
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

/// The number at the front of a text; nothing when there is none, or no id has it.
std::optional<Id> take_id(std::string_view& text) {
  Id id = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return id;
}

/// "12[%12]'", as SPIRV-Tools spells an id in a message behind a quote.
std::optional<Id> take_numbered(std::string_view& text) {
  std::string_view rest = text;
  const std::optional<Id> id = take_id(rest);
  const std::string behind = id ? fmt::format("[%{}]'", *id) : std::string("-");
  if (!rest.starts_with(behind)) return std::nullopt;
  text = rest.substr(behind.size());
  return id;
}

/// What SPIRV-Tools says of numbers, said of what other messages call these ids. Strings stay as they are.
std::string renamed(std::string_view text, const ModuleView& view) {
  std::string out;
  bool in_string = false;
  while (!text.empty()) {
    const char c = text[0];
    text.remove_prefix(1);
    if (c == '"') in_string = !in_string;
    std::optional<Id> id;
    if (!in_string && c == '\'') id = take_numbered(text);
    const bool is_quoted = id.has_value();
    if (!in_string && c == '%') id = take_id(text);
    if (in_string && c == '\\' && !text.empty()) {
      out += {c, text[0]};
      text.remove_prefix(1);
    } else if (!id) {
      out += c;
    } else {
      const std::string spelled = spell_id(view, *id);  // in single quotes
      out += is_quoted ? spelled : spelled.substr(1, spelled.size() - 2);
    }
  }
  return out;
}

}  // namespace

Diagnostics second_opinion(const ModuleView& view, std::string_view environment,
                           const std::string& input_name) {
  const std::span<const std::uint32_t> words = view.words();
  Diagnostics found;
  const std::optional<Environment> known = find_environment(environment);
  spvtools::SpirvTools tools(target_of(known.value_or(Environment{})));
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& position,
                               const char* message) {
    Diagnostic diagnostic = make_diagnostic(Rule::kV0001, "");
    split_message(renamed(message, view), diagnostic);
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
  options.SetFriendlyNames(false);
  // It takes what llvm-spirv says of functions (DebugFunction) for a mistake.
  const std::vector<std::uint32_t> judged = decoder::without_debug_info(words);
  if (!tools.Validate(judged.data(), judged.size(), options) && found.empty())
    found.push_back(make_diagnostic(Rule::kV0001, "SPIRV-Tools' validator rejects the module"));
  return found;
}

}  // namespace transpire::validator
