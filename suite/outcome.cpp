#include "suite/outcome.h"

#include <fmt/format.h>

#include "base/excerpt.h"
#include "base/json.h"
#include "launch/report/diagnose.h"
#include "launch/report/finding_json.h"

namespace transpire::suite {
namespace {

Problem problem_in(const Json& json) {
  return {launch::diagnostic_in(json), launch::mismatches_in(json),
          json.value("different", std::uint64_t{0})};
}

/// All that is wrong, errors first; warnings alone are nothing wrong.
std::vector<Problem> problems_in(const Json& run) {
  std::vector<Problem> problems;
  for (const Json& finding : run.elements_of("findings"))
    if (!finding.value("expected", false) && !finding.contains("suppressed_by"))
      problems.push_back(problem_in(finding));
  for (const Json& error : run.elements_of("errors")) problems.push_back(problem_in(error));
  if (const Json* const expectations = run.find("expectations"))
    for (const Json& failure : expectations->elements_of("failures"))
      problems.push_back(problem_in(failure));
  return problems;
}

Outcome outcome_of(int exit_code) {
  switch (exit_code) {
    case launch::kSuccess:
      return Outcome::kPassed;
    case launch::kExpectationFailed:
    case launch::kFault:
      return Outcome::kFailed;
    default:
      return exit_code < 0 ? Outcome::kCrashed : Outcome::kBroken;
  }
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPassed:
      return "passed";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kBroken:
      return "broken";
    case Outcome::kTimeLimit:
      return "time limit";
    case Outcome::kCrashed:
      return "crashed";
    case Outcome::kNotRun:
      break;
  }
  return "not run";
}

TestResult result_of_run(const std::string& path, int exit_code, std::string_view document) {
  TestResult result{path, outcome_of(exit_code)};
  try {
    const Json run = Json::parse(document);
    result.problems = problems_in(run);
    for (const Json& entry : run.elements_of("suppressions"))
      result.suppressions.push_back(launch::suppression_in(entry));
    for (const Json& launch : run.elements_of("launches"))
      result.output += launch.value("printf", "");
  } catch (const JsonError&) {
    result.outcome = Outcome::kCrashed;
  }
  return result;
}

SourceLine place_of(const Problem& problem, const std::string& path) {
  const Diagnostic& diagnostic = problem.diagnostic;
  if (diagnostic.source.known()) return diagnostic.source;
  return {diagnostic.input.empty() ? path : diagnostic.input, 0, 0};
}

std::string headline_of(const TestResult& result) {
  if (result.problems.empty()) return {};
  const Problem& first = result.problems.front();
  return fmt::format("{}: {}", text_of(place_of(first, result.path)), first.diagnostic.message);
}

}  // namespace transpire::suite
