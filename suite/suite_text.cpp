// A suite's report for people.
#include <fmt/format.h>

#include "suite/formats.h"

namespace transpire::suite {

std::string text_of(const TestResult& result, bool colour) {
  const bool passed = result.outcome == Outcome::kPassed;
  const std::string_view paint = !colour ? "" : passed ? "\x1b[32m" : "\x1b[31m";
  std::string text = fmt::format("{}{}{}: {} ({:.2f} s)\n", paint, name_of(result.outcome),
                                 colour ? "\x1b[0m" : "", result.path, result.seconds);
  if (passed) return text;
  for (const Problem& problem : result.problems) text += format(problem.diagnostic, colour);
  return text;
}

std::string summary_of(const SuiteReport& report) {
  const std::size_t total = report.results.size();
  std::string text = fmt::format("{} of {} test{} passed", report.count(Outcome::kPassed), total,
                                 total == 1 ? "" : "s");
  for (const Outcome outcome : {Outcome::kFailed, Outcome::kBroken, Outcome::kTimeLimit,
                                Outcome::kCrashed, Outcome::kNotRun})
    if (const std::size_t count = report.count(outcome); count != 0)
      text += outcome == Outcome::kTimeLimit ? fmt::format(", {} beyond the time limit", count)
                                             : fmt::format(", {} {}", count, name_of(outcome));
  const std::string suppressed = launch::suppressed_text(report.suppressed());
  if (!suppressed.empty()) text += ", " + suppressed;
  return fmt::format("{} ({:.2f} s)\n", text, report.seconds);
}

}  // namespace transpire::suite
