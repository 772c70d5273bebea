// Examples: see the header.
#include "validator/example.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/rule.h"
#include "decoder/view/assemble_text.h"
#include "validator/names.h"

namespace transpire::validator {
namespace {

constexpr Example kExamples[] = {
#include "validator/examples.inc"
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Takes a decimal or 0x number from the front of `text`.
bool take_number(std::string_view& text, std::uint32_t& value) {
  text = trimmed(text);
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool read_open_question(std::string_view text, ValidateOptions& options) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  const bool accepts = text.substr(equals) == "=accept";
  if (!accepts && text.substr(equals) != "=reject") return false;
  const OpenQuestion answer = accepts ? OpenQuestion::kAccept : OpenQuestion::kReject;
  if (name == "irreducible")
    options.irreducible = answer;
  else if (name == "struct-arrays")
    options.struct_arrays = answer;
  else if (name == "scopes")
    options.other_scopes = answer;
  else
    return false;
  return true;
}

bool patch_word(std::string_view rest, std::vector<std::uint32_t>& words) {
  std::uint32_t at = 0;
  std::uint32_t value = 0;
  if (!take_number(rest, at)) return false;
  rest = trimmed(rest);
  if (!rest.starts_with('=')) return false;
  rest.remove_prefix(1);
  if (!take_number(rest, value) || at >= words.size()) return false;
  words[at] = value;
  return true;
}

bool append_words(std::string_view rest, std::vector<std::uint32_t>& words) {
  std::uint32_t value = 0;
  while (!trimmed(rest).empty()) {
    if (!take_number(rest, value)) return false;
    words.push_back(value);
  }
  return true;
}

/// One header line. True when it was understood or is no header line at all.
bool apply(std::string_view line, PreparedExample& example) {
  const auto value_of = [line](std::string_view key) -> std::string_view {
    return line.starts_with(key) ? trimmed(line.substr(key.size())) : std::string_view{};
  };
  ValidateOptions& options = example.options;
  if (const auto env = value_of("env:"); !env.empty()) options.environment = env;
  if (const auto device = value_of("device:"); !device.empty()) options.device = device;
  if (const auto text = value_of("strictness:"); !text.empty()) {
    if (text != "strict" && text != "field") return false;
    options.strictness = text == "field" ? Strictness::kField : Strictness::kStrict;
  }
  if (const auto text = value_of("option:"); !text.empty())
    return read_open_question(text, options);
  if (const auto text = value_of("word "); !text.empty() && text.find('=') != text.npos)
    return patch_word(text, example.words);
  if (const auto text = value_of("append:"); !text.empty())
    return append_words(text, example.words);
  if (auto text = value_of("truncate:"); !text.empty()) {
    std::uint32_t count = 0;
    if (!take_number(text, count) || count > example.words.size()) return false;
    example.words.resize(count);
  }
  if (value_of("byte-order:") == "swapped")
    for (std::uint32_t& word : example.words)
      word = word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
  return true;
}

}  // namespace

std::vector<Example> examples() { return {std::begin(kExamples), std::end(kExamples)}; }

Result<PreparedExample> prepare_example(const Example& example) {
  PreparedExample prepared;
  prepared.options.name = fmt::format("{}.{}.spvasm", example.id, example.kind);
  TRANSPIRE_TRY(AssembledText assembled, assemble_text(example.text, prepared.options.name));
  prepared.words = std::move(assembled.words);
  for (std::string_view rest = example.text; rest.starts_with(';');) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(1, end - 1));
    if (!apply(line, prepared)) {
      Diagnostic error =
          make_diagnostic(Rule::kC0035, fmt::format("the example's line '; {}' is wrong", line));
      error.input = prepared.options.name;
      return error;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return prepared;
}

}  // namespace transpire::validator
