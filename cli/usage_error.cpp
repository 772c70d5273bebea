// Wrong command lines: see the header.
#include "cli/usage_error.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <sstream>

#include "cli/options.h"
#include "launch/language/launch_plan.h"
#include "launch/report/diagnose.h"

namespace transpire::cli {
namespace {

/// The words behind the program's name.
using Words = std::vector<std::string>;
using Places = std::vector<std::size_t>;  ///< indexes of Words

/// The option with that name; null if there is none.
const OptionDescription* option_named(const CommandDescription& command, const std::string& name) {
  for (const OptionDescription& option : command.options)
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  return nullptr;
}

/// "--format" of "--format=json"
std::string name_in(const std::string& word) { return word.substr(0, word.find('=')); }

bool has_value(const std::string& word) { return word.find('=') != word.npos; }

/// The first word that looks like an option but is none of the command.
std::optional<std::size_t> unknown_option(const CommandDescription& command, const Words& words) {
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    const std::string name = name_in(words[i]);
    if (const OptionDescription* const option = option_named(command, name)) {
      i += !option->value.empty() && !has_value(words[i]) ? 1 : 0;
      continue;
    }
    const bool is_long = name.starts_with("--");
    const bool is_short = !is_long && name.size() > 1 && name[0] == '-' &&
                          std::isalpha(static_cast<unsigned char>(name[1])) != 0;
    if (is_long || (is_short && option_named(command, name.substr(0, 2)) == nullptr)) return i;
  }
  return std::nullopt;
}

/// True for a word that begins like an option of clang's.
bool is_of_compiler(std::string_view word) {
  return std::ranges::any_of(
      std::array{"-D", "-I", "-U", "-cl-", "-std=", "-O", "-f", "-include", "-x"},
      [&](const char* start) { return word.starts_with(start); });
}

/// True if the option's value stands in the next word.
bool takes_next_word(std::string_view word) {
  return word == "-D" || word == "-I" || word == "-U" || word == "-include" || word == "-x";
}

bool is_file(const std::string& word) {
  std::error_code ignored;
  return std::filesystem::exists(word, ignored);
}

/// Places of the word and of the next one, if that is its value.
Places places_of_unknown(const Words& words, std::size_t at) {
  Places places{at};
  const std::size_t next = at + 1;
  if (next == words.size()) return places;
  const bool may_be_value = !has_value(words[at]) && !is_of_compiler(words[at]) &&
                            !words[next].empty() && words[next][0] != '-' && !is_file(words[next]);
  if (may_be_value || takes_next_word(words[at])) places.push_back(next);
  return places;
}

/// A known option with a similar name; empty if none is close.
std::string option_hint(const CommandDescription& command, const Words& words, std::size_t at) {
  const std::string& word = words[at];
  const std::string next = at + 1 < words.size() ? words[at + 1] : "";
  if (is_of_compiler(word) && option_named(command, "--build-options") != nullptr)
    return fmt::format(
        "the compiler's options stand behind '--build-options': --build-options '{}'",
        takes_next_word(word) ? word + " " + next : word);
  if (word.starts_with("-o") && option_named(command, "--out") != nullptr)
    return fmt::format("'--out NAME={}' writes the buffer NAME to a file", word.size() > 2
                                                                               ? word.substr(2)
                                                                           : next.empty() ? "FILE"
                                                                                          : next);
  std::vector<std::string> names;
  for (const OptionDescription& option : command.options)
    for (const std::string& name : option.names)
      if (name.starts_with("--")) names.push_back(name);
  const std::string near = nearest(name_in(word), names);
  return near.empty() ? "" : fmt::format("did you mean '{}'?", near);
}

/// The parser's message in this project's style.
std::string reworded(const std::string& message) {
  const std::string_view text = message;
  const std::size_t colon = std::min(text.find(": "), text.size());
  const std::string_view name = text.substr(0, colon);
  const std::string_view rest = text.substr(std::min(colon + 2, text.size()));
  if (text == "A subcommand is required") return "a command is missing";
  if (text.ends_with(" is required"))
    return fmt::format("{} is missing", text.substr(0, text.rfind(" is ")));
  if (name == "The following argument was not expected")
    return fmt::format("'{}' was not expected", rest);
  if (name == "The following arguments were not expected") {
    std::istringstream stream{std::string(rest)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.insert(words.begin(), word);
    return fmt::format("{} were not expected", listed(words));
  }
  if (rest == kEmptyValue) return fmt::format("'{}' {}", name, rest);
  if (rest.starts_with("1 required ") && rest.ends_with(" missing"))
    return fmt::format("'{}' needs a value", name);
  constexpr std::string_view kReceived = "At Most 1 required but received ";
  if (rest.starts_with(kReceived))
    return fmt::format("'{}' is given {} times", name, rest.substr(kReceived.size()));
  const std::size_t set = rest.find(" not in {");
  if (set == std::string_view::npos) return message;
  return fmt::format("'{}' is no value of {}", rest.substr(0, set), name);
}

/// "--isa" and "mmx" from the parser's "--isa: mmx not in {...}"; empty for other messages.
std::pair<std::string, std::string> refused_value(const std::string& message) {
  const std::size_t colon = message.find(": ");
  const std::size_t set = message.find(" not in {");
  if (colon == message.npos) return {};
  const std::string name = message.substr(0, colon);
  if (message.substr(colon + 2) == kEmptyValue) return {name, ""};
  if (set == message.npos || set < colon + 2) return {};
  return {name, message.substr(colon + 2, set - colon - 2)};
}

/// The choices of the option or argument named at the beginning of the parser's message; empty if
/// it has none.
std::string choices_hint(const std::string& message, const std::string& command) {
  const auto [name, value] = refused_value(message);
  if (name.empty() || value.empty()) return {};
  std::vector<std::string> choices = choices_of(command + " " + name);
  if (choices.empty()) choices = choices_of(name);
  return suggestion(value, choices, "values");
}

/// Places at which an option stands with that value, by any of its names.
Places places_of_value(const CommandDescription& command, const Words& words,
                       const std::pair<std::string, std::string>& refused) {
  const auto& [name, value] = refused;
  const OptionDescription* const option = option_named(command, name);
  if (option == nullptr) return {};
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (std::ranges::find(option->names, name_in(words[i])) == option->names.end()) continue;
    const bool joined = has_value(words[i]);
    if (!joined && i + 1 == words.size()) continue;
    const std::string given = joined ? words[i].substr(words[i].find('=') + 1) : words[i + 1];
    const bool is_it = value.empty() ? given.empty() : given.find(value) != given.npos;
    if (is_it) return joined ? Places{i} : Places{i, i + 1};
  }
  return {};
}

/// Places of the unexpected words that the parser's message lists.
Places places_of_extras(const Words& words, const std::string& message) {
  constexpr std::string_view kExpected = " expected: ";
  const std::size_t at = message.find(kExpected);
  if (at == message.npos) return {};
  std::istringstream stream{message.substr(at + kExpected.size())};
  Places places;
  for (std::string word; stream >> word;)
    for (std::size_t i = 1; i < words.size(); ++i)
      if (words[i] == word) places.push_back(i);
  return places;
}

/// Commands with a name similar to the first word.
std::string command_hint(const CLI::App& app, const std::string& word) {
  std::error_code ignored;
  if (std::filesystem::is_directory(word, ignored))
    return fmt::format("did you mean 'transpire test {}'?", word);
  if (is_file(word) || names_module(word) || word.ends_with(".launch") || word.ends_with(".sim"))
    return fmt::format("did you mean 'transpire run {}'?", word);
  std::vector<std::string> names;
  for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(c->get_name());
  const std::string near = nearest(word, names);
  return near.empty() ? "see 'transpire --help'" : fmt::format("did you mean '{}'?", near);
}

struct Mistake {
  Diagnostic diagnostic;
  Places places;  ///< places of the words that caused it; empty: not known
};

CommandDescription description_of(const std::string& command) {
  for (const CommandDescription& each : describe_commands().commands)
    if (each.name == command) return each;
  return {};
}

Mistake mistake_of(const CLI::App& app, const CLI::ParseError& error, const Words& words) {
  const auto parsed = app.get_subcommands();
  const std::string raw = error.what();
  if (parsed.empty()) {
    const bool is_word = !words.empty() && words[0][0] != '-';
    return {
        command_error(kBadCommandLine,
                      is_word ? fmt::format("there is no command '{}'", words[0]) : reworded(raw),
                      is_word ? command_hint(app, words[0]) : "see 'transpire --help'"),
        {}};
  }
  const std::string command = parsed[0]->get_name();
  std::string message = reworded(raw);
  std::string help = fmt::format("see 'transpire {} --help'", command);
  const CommandDescription description = description_of(command);
  const auto unknown = unknown_option(description, words);
  // The unknown word is the reason why the parser did not understand others.
  if (unknown && (message.ends_with(" expected") || message.ends_with(" missing"))) {
    const std::string& word = words[*unknown];
    const bool whole = is_of_compiler(word);
    if (std::string hint = option_hint(description, words, *unknown); !hint.empty())
      help = std::move(hint);
    return {command_error(kBadCommandLine,
                          fmt::format("'{}' was not expected", whole ? word : name_in(word)), help),
            places_of_unknown(words, *unknown)};
  }
  if (std::string hint = choices_hint(raw, command); !hint.empty()) help = std::move(hint);
  Places places = places_of_value(description, words, refused_value(raw));
  if (places.empty()) places = places_of_extras(words, raw);
  return {command_error(kBadCommandLine, message, help), std::move(places)};
}

Words without(const Words& words, const Places& places) {
  Words rest;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (std::ranges::find(places, i) == places.end()) rest.push_back(words[i]);
  return rest;
}

/// Checks the values of options only; nothing is read from files, because an error here is enough
/// to refuse.
Diagnostics value_errors(const AllOptions& all, const CLI::App& app) {
  if (!app.got_subcommand("run")) return {};
  Diagnostics errors;
  const auto take = [&](const auto& result) {
    if (!result) errors.insert(errors.end(), result.errors().begin(), result.errors().end());
  };
  take(settings_of(all.run));
  take(plan_from_flags(all.run.launch));
  return errors;
}

}  // namespace

std::string command_of(int argc, const char* const* argv) {
  if (argc < 2) return "none";
  const auto commands = describe_commands().commands;
  const bool is_command = std::ranges::find(commands, std::string(argv[1]),
                                            &CommandDescription::name) != commands.end();
  return is_command ? argv[1] : "none";
}

Diagnostics usage_errors(int argc, const char* const* argv) {
  Words words(argv + std::min(argc, 1), argv + argc);
  Diagnostics errors;
  for (;;) {  // each round removes at least one word
    AllOptions all;
    const auto app = make_app(all);
    std::vector<const char*> line{"transpire"};
    for (const std::string& word : words) line.push_back(word.c_str());
    try {
      app->parse(static_cast<int>(line.size()), line.data());
    } catch (const CLI::Success&) {
      return errors;
    } catch (const CLI::ParseError& error) {
      Mistake mistake = mistake_of(*app, error, words);
      // Leftover words mislead the parser, so its message about missing ones may be wrong.
      const bool follows = !errors.empty() && mistake.places.empty();
      if (!follows) errors.push_back(std::move(mistake.diagnostic));
      if (mistake.places.empty()) return errors;
      words = without(words, mistake.places);
      continue;
    }
    for (Diagnostic& error : value_errors(all, *app)) errors.push_back(std::move(error));
    return errors;
  }
}

}  // namespace transpire::cli
