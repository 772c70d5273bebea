#include "suite/outcome.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/excerpt.h"
#include "launch/diagnose.h"

namespace transpire::suite {
namespace {

using Json = nlohmann::json;

SourceLine place_in(const Json& json) {
  return {json.value("file", ""), json.value("line", 0U), json.value("column", 0U)};
}

std::optional<std::uint64_t> number_in(const Json& json, const char* name) {
  if (!json.contains(name)) return std::nullopt;
  return json[name].get<std::uint64_t>();
}

std::vector<Frame> frames_in(const Json& json) {
  std::vector<Frame> frames;
  for (const Json& each : json) {
    Frame frame;
    frame.function = each.value("function", "");
    if (each.contains("source")) frame.where = place_in(each["source"]);
    frame.word_offset = number_in(each, "word_offset");
    frames.push_back(std::move(frame));
  }
  return frames;
}

/// What launch::json_of() wrote.
Diagnostic diagnostic_in(const Json& json) {
  Diagnostic diagnostic;
  diagnostic.rule = json.value("rule", "");
  const std::string severity = json.value("severity", "error");
  if (severity == "warning") diagnostic.severity = Severity::kWarning;
  if (severity == "note") diagnostic.severity = Severity::kNote;
  diagnostic.message = json.value("message", "");
  diagnostic.input = json.value("input", "");
  diagnostic.word_offset = number_in(json, "word_offset");
  diagnostic.instruction = json.value("instruction", "");
  if (json.contains("source")) diagnostic.source = place_in(json["source"]);
  diagnostic.notes = json.value("notes", std::vector<std::string>());
  diagnostic.help = json.value("help", "");
  diagnostic.clause = json.value("clause", "");
  diagnostic.excerpt = json.value("excerpt", "");
  diagnostic.assembly = json.value("assembly", "");
  if (json.contains("frames")) diagnostic.frames = frames_in(json["frames"]);
  return diagnostic;
}

launch::Mismatch mismatch_in(const Json& json) {
  launch::Mismatch mismatch;
  mismatch.buffer = json.at("buffer").get<std::string>();
  mismatch.element = json.at("element").get<std::uint64_t>();
  if (const auto component = number_in(json, "component")) mismatch.leaf = *component;
  mismatch.expected = json.at("expected").get<std::string>();
  mismatch.found = json.at("found").get<std::string>();
  mismatch.ulp = number_in(json, "ulp");
  return mismatch;
}

Problem problem_in(const Json& json) {
  Problem problem{diagnostic_in(json)};
  problem.different = json.value("different", std::uint64_t{0});
  for (const Json& mismatch : json.value("mismatches", Json::array()))
    problem.mismatches.push_back(mismatch_in(mismatch));
  return problem;
}

/// All that is wrong, errors first; warnings alone are nothing wrong.
std::vector<Problem> problems_in(const Json& run) {
  std::vector<Problem> problems;
  for (const Json& finding : run.value("findings", Json::array()))
    if (!finding.value("expected", false)) problems.push_back(problem_in(finding));
  for (const Json& error : run.value("errors", Json::array()))
    problems.push_back(problem_in(error));
  const Json expectations = run.value("expectations", Json::object());
  for (const Json& failure : expectations.value("failures", Json::array()))
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
  result.exit_code = exit_code;
  try {
    const Json run = Json::parse(document);
    result.problems = problems_in(run);
    for (const Json& launch : run.value("launches", Json::array()))
      result.output += launch.value("printf", "");
  } catch (const Json::exception&) {
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
  return fmt::format("{}: {}", spelled(place_of(first, result.path)), first.diagnostic.message);
}

}  // namespace transpire::suite
