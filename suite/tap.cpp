// The Test Anything Protocol, version 14; what is said of a failure is a block of YAML, in the part of it that is JSON.
#include <fmt/format.h>

#include "base/json.h"
#include "suite/formats.h"

namespace transpire::suite {
namespace {

/// A string of YAML, which any string of JSON is.
std::string quoted(const std::string& text) { return Json(text).dump(-1, JsonText::kReplaced); }

/// '#' begins a directive, and a backslash keeps it from that.
std::string description(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == '#' || c == '\\') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

std::string problem_block(const Problem& problem, const TestResult& result) {
  const SourceLine where = place_of(problem, result.path);
  std::string text = fmt::format("    - rule: {}\n      message: {}\n      file: {}\n",
                                 quoted(problem.diagnostic.rule),
                                 quoted(problem.diagnostic.message), quoted(where.file));
  if (where.line != 0) text += fmt::format("      line: {}\n", where.line);
  if (where.column != 0) text += fmt::format("      column: {}\n", where.column);
  if (problem.mismatches.empty()) return text;
  text += fmt::format("      different: {}\n      mismatches:\n", problem.different);
  for (const launch::Mismatch& mismatch : problem.mismatches) {
    text += fmt::format("        - {{buffer: {}, element: {}", quoted(mismatch.buffer),
                        mismatch.element);
    if (mismatch.leaf) text += fmt::format(", component: {}", *mismatch.leaf);
    if (mismatch.texel) text += fmt::format(", texel: {}", quoted(mismatch.texel->text_of()));
    if (!mismatch.channel.empty()) text += fmt::format(", channel: {}", quoted(mismatch.channel));
    text +=
        fmt::format(", expected: {}, found: {}", quoted(mismatch.expected), quoted(mismatch.found));
    if (mismatch.ulp) text += fmt::format(", ulp: {}", *mismatch.ulp);
    text += "}\n";
  }
  return text;
}

}  // namespace

std::string tap_of(const SuiteReport& report) {
  std::string text = fmt::format("TAP version 14\n1..{}\n", report.results.size());
  std::size_t number = 0;
  for (const TestResult& result : report.results) {
    const bool passed = result.outcome == Outcome::kPassed;
    const bool skipped = result.outcome == Outcome::kNotRun;
    text += fmt::format("{}ok {} - {}{}\n", passed || skipped ? "" : "not ", ++number,
                        description(result.path), skipped ? " # SKIP not run" : "");
    if (passed || skipped) continue;
    text += fmt::format("  ---\n  outcome: {}\n  seconds: {:.3f}\n",
                        quoted(std::string(name_of(result.outcome))), result.seconds);
    if (!result.problems.empty()) text += "  problems:\n";
    for (const Problem& problem : result.problems) text += problem_block(problem, result);
    text += "  ...\n";
  }
  return text;
}

}  // namespace transpire::suite
