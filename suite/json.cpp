#include "base/json.h"

#include "launch/report/finding_json.h"
#include "suite/formats.h"
#include "transpire/transpire.hpp"

namespace transpire::suite {
namespace {

Json json_of(const TestResult& result) {
  Json json{
      {"path", result.path}, {"outcome", name_of(result.outcome)}, {"seconds", result.seconds}};
  Json problems = Json::array();
  for (const Problem& problem : result.problems) {
    problems.push_back(launch::json_of(problem.diagnostic, problem.mismatches, problem.different));
  }
  json["problems"] = std::move(problems);
  if (!result.output.empty()) json["printf"] = result.output;
  return json;
}

}  // namespace

std::string json_of(const SuiteReport& report, const Diagnostics& warnings, int exit_code) {
  Json tests = Json::array();
  for (const TestResult& result : report.results) tests.push_back(json_of(result));
  Json document{{"transpire", version()},
                {"command", "test"},
                {"exit_code", exit_code},
                {"seconds", report.seconds},
                {"passed", report.count(Outcome::kPassed)},
                {"suppressed", report.suppressed()},
                {"tests", std::move(tests)}};
  for (const Diagnostic& warning : warnings)
    document["warnings"].push_back(launch::json_of(warning));
  return document.dump(2, JsonText::kReplaced) + "\n";
}

}  // namespace transpire::suite
