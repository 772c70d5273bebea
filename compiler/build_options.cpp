// See build_options.h.
#include "compiler/build_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/nearest.h"
#include "base/rule.h"

namespace transpire::compiler {
namespace {

enum class Form : std::uint8_t { FLAG, JOINED, VALUED, NEXT };
enum class Group : std::uint8_t { kOpenCl, kUnused, kTaken, kRefused };

struct Option {
  std::string_view name;
  Form form;
  Group group;
  std::string_view choices{};  ///< separated by blanks; empty: any value
  std::string_view reason{};
};

constexpr std::array kOptions = {
#define TRANSPIRE_OPENCL(name) Option{name, Form::FLAG, Group::kOpenCl},
#define TRANSPIRE_UNUSED(name) Option{name, Form::FLAG, Group::kUnused},
#define TRANSPIRE_TAKEN(form, name) Option{name, Form::form, Group::kTaken},
#define TRANSPIRE_CHOICE(form, name, choices) Option{name, Form::form, Group::kTaken, choices},
#define TRANSPIRE_REFUSED(form, name, reason) Option{name, Form::form, Group::kRefused, {}, reason},
#include "compiler/build_options.def"
#undef TRANSPIRE_OPENCL
#undef TRANSPIRE_UNUSED
#undef TRANSPIRE_TAKEN
#undef TRANSPIRE_CHOICE
#undef TRANSPIRE_REFUSED
};

bool fits(const Option& option, std::string_view word) {
  switch (option.form) {
    case Form::FLAG:
    case Form::NEXT:
      return word == option.name;
    case Form::JOINED:
      return word.starts_with(option.name) &&
             (option.group == Group::kRefused || word.size() > option.name.size());
    case Form::VALUED:
      return word.starts_with(option.name);
  }
  return false;
}

/// The matching option with the longest name.
const Option* option_of(std::string_view word) {
  const Option* found = nullptr;
  for (const Option& option : kOptions)
    if (fits(option, word) && (found == nullptr || option.name.size() > found->name.size()))
      found = &option;
  return found;
}

bool is_choice(std::string_view choices, std::string_view value) {
  while (!choices.empty()) {
    const std::size_t end = std::min(choices.find(' '), choices.size());
    std::string_view choice = choices.substr(0, end);
    choices.remove_prefix(std::min(end + 1, choices.size()));
    if (choice.ends_with('*') ? value.starts_with(choice.substr(0, choice.size() - 1))
                              : value == choice)
      return true;
  }
  return false;
}

Diagnostic refused(std::string_view word, std::string_view why, std::string help = {}) {
  Diagnostic error =
      make_diagnostic(Rule::kC0037, fmt::format("the build option '{}' is refused: {}", word, why));
  error.help = std::move(help);
  return error;
}

Diagnostic unknown(const std::string& word) {
  if (!word.starts_with('-') || word == "-" || word == "--")
    return refused(word, "it is no option, and one source is compiled at a time");
  std::vector<std::string> names;
  for (const Option& option : kOptions)
    if (option.group != Group::kRefused) names.emplace_back(option.name);
  // Without its value.
  const std::size_t equals = word.find('=');
  const std::string meant =
      nearest(word.substr(0, equals == word.npos ? equals : equals + 1), names);
  return refused(word, "it is not known",
                 meant.empty() ? "" : fmt::format("did you mean '{}'?", meant));
}

/// Takes the word at `at`, and the next one if that is its value.
std::optional<Diagnostic> check_option(const std::vector<std::string>& words, std::size_t& at) {
  const std::string& word = words[at];
  const Option* const option = option_of(word);
  if (option == nullptr) return unknown(word);
  if (option->group == Group::kRefused) return refused(word, option->reason);
  if (option->form == Form::FLAG) return std::nullopt;
  std::string_view value = std::string_view(word).substr(option->name.size());
  if (value.empty()) {
    if (at + 1 == words.size()) return refused(word, "its value is missing");
    value = words[++at];
  }
  if (option->choices.empty() || is_choice(option->choices, value)) return std::nullopt;
  // The name of an option that -Xclang hands to clang's frontend may be known.
  const Option* const inner = option->name == "-Xclang" ? option_of(value) : nullptr;
  if (inner != nullptr && inner->group == Group::kRefused) return refused(value, inner->reason);
  return refused(word == option->name ? fmt::format("{} {}", word, value) : word,
                 fmt::format("behind '{}' may stand {}", option->name, option->choices));
}

}  // namespace

Diagnostics check_build_options(const std::vector<std::string>& options) {
  Diagnostics errors;
  for (std::size_t at = 0; at < options.size(); ++at)
    if (auto error = check_option(options, at)) errors.push_back(*std::move(error));
  return errors;
}

std::vector<std::string> handed_to_clang(std::vector<std::string> options) {
  const auto is_unused = [](const std::string& word) {
    const Option* const option = option_of(word);
    return option != nullptr && option->group == Group::kUnused;
  };
  std::erase_if(options, is_unused);
  return options;
}

bool is_opencl_flag(std::string_view word) {
  const Option* const option = option_of(word);
  return option != nullptr && (option->group == Group::kOpenCl || option->group == Group::kUnused);
}

}  // namespace transpire::compiler
