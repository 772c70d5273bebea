// Diagnostics of the command line: see the header.
#include "launch/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "launch/text.h"

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

Diagnostics placed(Diagnostics diagnostics, const SourceLine& where) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.input.empty() || diagnostic.source.known() || where.file.empty()) continue;
    diagnostic.input = where.file;
    diagnostic.source = where;
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
  // The validator's rules have the ids of their sections.
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
  if (error->rule == kSourceDoesNotCompile) return kInvalidModule;
  return error->rule == kNoCompiler ? kUnsupported : kUsage;
}

namespace {

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Edits (insert, delete, replace) between two words, letter case aside.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (folded(a[i - 1]) == folded(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
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
  const std::string all = fmt::format("the {} are {}", what, listed(candidates));
  if (candidates.size() == 1) return fmt::format("the only one is {}", listed(candidates));
  return near.empty() ? all : fmt::format("did you mean '{}'? {}", near, all);
}

}  // namespace transpire::launch
