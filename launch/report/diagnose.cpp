// Makes and places diagnostics: see the header.
#include "launch/report/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <tuple>

#include "base/excerpt.h"
#include "base/nearest.h"
#include "launch/report/json_places.h"
#include "launch/report/text.h"

namespace transpire::launch {

Diagnostic command_error(const std::string& rule, const std::string& message, std::string help) {
  Diagnostic diagnostic;
  diagnostic.rule = rule;
  diagnostic.message = printable(message);
  diagnostic.help = std::move(help);
  if (const RulePage* page = find_rule(rule)) {
    diagnostic.severity = page->severity;
    diagnostic.clause = page->clause;
  }
  return diagnostic;
}

Diagnostic out_of_memory(std::string_view doing) {
  return command_error(kMemoryLimit, fmt::format("there is no memory left for {}", doing));
}

namespace {
constexpr std::string_view kFlagStart = "in '-";

bool is_flag(const SourceLine& where) {
  return where.line == 0 && where.file.starts_with(kFlagStart);
}
}  // namespace

SourceLine place_of_flag(std::string_view flag, std::string_view text) {
  return {printable(fmt::format("in '{} {}'", flag, text)), 0, 0};
}

Diagnostics placed(Diagnostics diagnostics, const SourceLine& where) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.input.empty() || diagnostic.source.known() || where.file.empty()) continue;
    if (is_flag(where)) {
      if (diagnostic.notes.empty() || diagnostic.notes[0] != where.file)
        diagnostic.notes.insert(diagnostic.notes.begin(), where.file);
      continue;
    }
    diagnostic.input = where.file;
    diagnostic.source = where;
  }
  return diagnostics;
}

Diagnostics located(Diagnostics diagnostics, const SourceLine& where,
                    const std::string& plan_file) {
  diagnostics = placed(std::move(diagnostics), where);
  for (Diagnostic& each : diagnostics)
    if (each.input.empty() && !each.source.known() && !plan_file.empty())
      each.input = "command line";
  return diagnostics;
}

namespace {

bool is_of_word(std::string_view text, std::size_t at) {
  return at < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
}

/// Offset of `word` in the line from `from` on, not as a part of a longer word; npos if there is none.
std::size_t find_word(std::string_view line, std::string_view word, std::size_t from) {
  for (std::size_t at = line.find(word, from); at != line.npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool inside = (at > 0 && is_of_word(line, at - 1) && is_of_word(line, at)) ||
                        (is_of_word(line, end) && is_of_word(line, end - 1));
    if (!inside) return at;
  }
  return line.npos;
}

/// Offset of `key` if it is the key of the JSON member whose value begins at `start`; else npos.
std::size_t find_key(std::string_view line, std::string_view key, std::size_t start) {
  const auto trim = [&line] { line = line.substr(0, line.find_last_not_of(" \t") + 1); };
  line = line.substr(0, start);
  trim();
  if (!line.ends_with(':')) return line.npos;
  line.remove_suffix(1);
  trim();
  return line.ends_with(fmt::format("\"{}\"", key)) ? line.size() - key.size() - 1 : line.npos;
}

/// Offset and length of the first word in quotes in the message that the line contains from `from` on. In JSON, the word must
/// be in the value that begins there, or be its key.
std::pair<std::size_t, std::size_t> quoted_place(std::string_view message, std::string_view line,
                                                 std::size_t from, bool is_json) {
  const std::string_view searched = is_json ? line.substr(0, end_of_json_value(line, from)) : line;
  for (std::size_t open = message.find('\''); open != message.npos;) {
    const std::size_t close = message.find('\'', open + 1);
    if (close == message.npos) break;
    const std::string_view word = message.substr(open + 1, close - open - 1);
    std::size_t at = is_json && !word.empty() ? find_key(line, word, from) : line.npos;
    if (at == line.npos && !word.empty()) at = find_word(searched, word, from);
    if (at != line.npos) return {at, word.size()};
    open = message.find('\'', close + 1);
  }
  return {line.npos, 1};
}

constexpr std::string_view kNotJson = "this is not JSON: ";

}  // namespace

Diagnostics quoted(Diagnostics diagnostics, const std::string& file, std::string_view text) {
  const TextLines lines(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != text.npos && text[first] == '{';
  for (Diagnostic& diagnostic : diagnostics) {
    const std::string_view line = lines.line(diagnostic.source.line);
    if (diagnostic.source.file != file || !diagnostic.excerpt.empty() || line.empty()) continue;
    const std::size_t from = std::max<std::size_t>(diagnostic.source.column, 1) - 1;
    std::size_t start = from, length = 1;  // for a parser's error, the place itself
    if (!diagnostic.message.starts_with(kNotJson)) {
      std::tie(start, length) = quoted_place(diagnostic.message, line, from, is_json);
      if (start == line.npos && from != 0) start = from;
    }
    if (start == line.npos) start = line.find_first_not_of(" \t");
    start = std::min(start, line.size() - 1);  // an unexpected end is behind the last letter
    diagnostic.source.column = static_cast<std::uint32_t>(start + 1);
    diagnostic.excerpt = excerpt_of(line, start, length);
  }
  return diagnostics;
}

Diagnostic with_clause(Diagnostic diagnostic) {
  if (!diagnostic.clause.empty())
    diagnostic.notes.push_back(fmt::format("clause: {}", diagnostic.clause));
  return diagnostic;
}

int exit_code_of(const Diagnostics& diagnostics) {
  const auto error = std::find_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
    return d.severity == Severity::kError;
  });
  if (error == diagnostics.end()) return kSuccess;
  // Ids of the validator's rules begin with a section.
  for (const char* section : {"TSP-ENV-", "TSP-UNI-", "TSP-LIM-"})
    if (error->rule.starts_with(section)) return kInvalidModule;
  const char family = error->rule.size() > 4 ? error->rule[4] : 'C';
  switch (family) {
    case 'D':
    case 'V':
      return kInvalidModule;
    case 'U':
      return kUnsupported;
    case 'R':
      return kFault;
    case 'L':
      return kLimit;
    default:
      break;
  }
  if (error->rule == kExpectationUnmet) return kExpectationFailed;
  if (error->rule == kSourceDoesNotCompile || error->rule == kSourceWarning) return kInvalidModule;
  return error->rule == kNoCompiler ? kUnsupported : kUsage;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  return transpire::nearest(word, candidates);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " and " : ", ";
    text += fmt::format("'{}'", names[i]);
  }
  return text;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates,
                       std::string_view what) {
  if (candidates.empty()) return fmt::format("there are no {}", what);
  const std::string near = nearest(word, candidates);
  constexpr std::size_t kMost = 100;
  const bool is_cut = candidates.size() > kMost;
  std::string all = fmt::format(
      "the {} are {}", what,
      listed(is_cut ? std::vector(candidates.begin(), candidates.begin() + kMost) : candidates));
  if (is_cut) all += fmt::format(", and {} more", candidates.size() - kMost);
  if (candidates.size() == 1) return fmt::format("the only one is {}", listed(candidates));
  return near.empty() ? all : fmt::format("did you mean '{}'? {}", near, all);
}

}  // namespace transpire::launch
