// The second opinion: SPIRV-Tools' validator.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <spirv-tools/libspirv.hpp>

#include "base/rule.h"
#include "decoder/debug_words.h"
#include "decoder/module.h"
#include "decoder/raw_instructions.h"
#include "decoder/readable.h"
#include "decoder/view/spelling.h"
#include "validator/environment.h"
#include "validator/validate.h"

namespace transpire::validator {
namespace {

/// SPIRV-Tools of Debian 12 knows Vulkan up to 1.3.
spv_target_env vulkan_target(const Environment& environment) {
  switch (environment.version) {
    case 10:
      return SPV_ENV_VULKAN_1_0;
    case 11:
      return SPV_ENV_VULKAN_1_1;
    case 12:
      return SPV_ENV_VULKAN_1_2;
    default:
      return SPV_ENV_VULKAN_1_3;
  }
}

spv_target_env universal_target(std::uint32_t version) {
  switch (version) {
    case 0x00010000:
      return SPV_ENV_UNIVERSAL_1_0;
    case 0x00010100:
      return SPV_ENV_UNIVERSAL_1_1;
    case 0x00010200:
      return SPV_ENV_UNIVERSAL_1_2;
    case 0x00010300:
      return SPV_ENV_UNIVERSAL_1_3;
    case 0x00010400:
      return SPV_ENV_UNIVERSAL_1_4;
    case 0x00010500:
      return SPV_ENV_UNIVERSAL_1_5;
    default:
      return SPV_ENV_UNIVERSAL_1_6;
  }
}

spv_target_env environment_target(const Environment& environment) {
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

/// SPIRV-Tools refuses a module that is newer than its environment, and has OpenCL environments up
/// to SPIR-V 1.2. A newer module is judged by its own version; rules here check if the environment
/// accepts that version.
spv_target_env target_of(const Environment& environment, std::uint32_t version) {
  constexpr std::uint32_t kOpenCL22 = 0x00010200, kOlderOpenCL = 0x00010000;
  if (environment.api == Environment::Api::kVulkan) return vulkan_target(environment);
  if (environment.api == Environment::Api::kUniversal)
    return universal_target(environment.newest_spirv());
  if (version <= (environment.version >= 22 ? kOpenCL22 : kOlderOpenCL))
    return environment_target(environment);
  return universal_target(version);
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

/// The number at the front of a text, if it is an id.
std::optional<Id> take_id(std::string_view& text) {
  Id id = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return id;
}

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '%';
}

/// Words before a number that mark it as an id.
constexpr std::string_view kBeforeIds[] = {"id ",  "ID ",  "Id ",       "<id> ",
                                           "id <", "id: ", "function ("};

/// Takes an id off the front of a message, in a form of SPIRV-Tools: "'12[%12]'", "12[%12]", "%12";
/// or "12" if the text before marks it as an id.
std::optional<Id> take_spelled_id(std::string_view& text, std::string_view before) {
  std::string_view rest = text;
  const bool percent = take(rest, "%");
  const bool quoted = !percent && take(rest, "'");
  if (!quoted && !before.empty() && is_word(before.back())) return std::nullopt;
  const std::optional<Id> id = take_id(rest);
  if (!id || (!rest.empty() && is_word(rest[0]))) return std::nullopt;
  const bool doubled = !percent && take(rest, fmt::format("[%{}]", *id));
  const bool named = std::ranges::any_of(
      kBeforeIds, [before](std::string_view word) { return before.ends_with(word); });
  if (!percent && !doubled && !named) return std::nullopt;
  if (quoted && !take(rest, "'")) return std::nullopt;
  text = rest;
  return id;
}

/// Replaces ids by the names that other messages use. Strings stay as they are.
std::string renamed(std::string_view text, const ModuleView& view) {
  std::string out;
  bool in_string = false;
  while (!text.empty()) {
    const bool is_quoted = text[0] == '\'';
    if (const auto id = in_string ? std::nullopt : take_spelled_id(text, out)) {
      const std::string spelled = spell_id(view, *id);  // in single quotes
      out += is_quoted ? spelled : spelled.substr(1, spelled.size() - 2);
      continue;
    }
    const bool escapes = in_string && text[0] == '\\' && text.size() > 1;
    if (text[0] == '"') in_string = !in_string;
    out += text.substr(0, escapes ? 2 : 1);
    text.remove_prefix(escapes ? 2 : 1);
  }
  return out;
}

/// Replaces the names of ids where SPIRV-Tools repeats the instruction.
void spell_anew(const ModuleView& view, Diagnostic& diagnostic) {
  const auto instructions = view.instructions();
  const auto found =
      std::ranges::lower_bound(instructions, *diagnostic.word_offset, {}, &Instruction::offset);
  if (found == instructions.end() || found->offset != *diagnostic.word_offset) return;
  const std::string_view opcode = diagnostic.instruction;
  for (std::string& note : diagnostic.notes) {
    const std::size_t at = note.find(opcode);
    const std::size_t end = at == note.npos ? note.npos : at + opcode.size();
    const bool begins = at == 0 || (at != note.npos && note.starts_with('%'));
    if (begins && (end == note.size() || note[end] == ' '))
      note = spell_instruction(view, static_cast<std::uint32_t>(found - instructions.begin())).text;
  }
}

/// SPIRV-Tools refuses source languages that are newer than itself. No rule depends on the language.
void forget_languages(std::vector<std::uint32_t>& words) {
  decoder::for_each_instruction(words, [&](std::size_t at, std::size_t count) {
    if (static_cast<spv::Op>(words[at] & 0xffff) == spv::Op::OpSource && count > 1)
      words[at + 1] = static_cast<std::uint32_t>(spv::SourceLanguage::Unknown);
  });
}

}  // namespace

Diagnostics second_opinion(const ModuleView& view, std::string_view environment,
                           const std::string& input_name) {
  const std::span<const std::uint32_t> words = view.words();
  Diagnostics found;
  const Environment target = find_environment(environment).value_or(Environment{});
  const Rule rule = target.is_opencl() ? Rule::kV0001 : Rule::kV0050;
  spvtools::SpirvTools tools(target_of(target, view.version()));
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& position,
                               const char* message) {
    Diagnostic diagnostic = make_diagnostic(rule, "");
    split_message(renamed(message, view), diagnostic);
    if (rule == Rule::kV0001)
      diagnostic.message = fmt::format("SPIRV-Tools' validator says: {}", diagnostic.message);
    diagnostic.input = input_name;
    // The validator numbers instructions; 0 stands for the module as a whole.
    const std::size_t offset =
        position.index == 0 ? 0 : decoder::offset_with_debug_info(words, position.index);
    if (offset != 0 && offset < words.size()) {
      diagnostic.word_offset = offset;
      diagnostic.instruction = decoder::opcode_name(static_cast<spv::Op>(words[offset] & 0xffff));
      spell_anew(view, diagnostic);
    }
    found.push_back(std::move(diagnostic));
  });
  spvtools::ValidatorOptions options;
  options.SetFriendlyNames(false);
  if (target.api == Environment::Api::kVulkan && target.version >= 12) {
    options.SetScalarBlockLayout(true);
    options.SetUniformBufferStandardLayout(true);
    options.SetWorkgroupScalarBlockLayout(true);
  }
  // SPIRV-Tools rejects correct debug information of llvm-spirv (DebugFunction).
  std::vector<std::uint32_t> judged = decoder::without_debug_info(words);
  forget_languages(judged);
  if (!tools.Validate(judged.data(), judged.size(), options) && found.empty())
    found.push_back(make_diagnostic(rule, "SPIRV-Tools' validator rejects the module"));
  return found;
}

}  // namespace transpire::validator
