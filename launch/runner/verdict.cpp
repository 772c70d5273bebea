// Judges a run: see launch/runner/verdict.h.
#include "launch/runner/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

bool is_there(const SourceLine& place, const ExpectedFault& fault) {
  return (fault.line == 0 || fault.line == place.line) &&
         (fault.column == 0 || fault.column == place.column);
}

/// " in line 12, column 3"
std::string place_text(const ExpectedFault& fault) {
  if (fault.line == 0) return {};
  return fault.column == 0 ? fmt::format(" in line {}", fault.line)
                           : fmt::format(" in line {}, column {}", fault.line, fault.column);
}

}  // namespace

Verdict::Verdict(const LaunchPlan& plan, FindingRules rules, RunReport& report)
    : plan_(plan), rules_(std::move(rules)), report_(report) {}

bool Verdict::read_suppressions(const ReadLimit& limit) {
  for (const NamedSuppression& named : plan_.suppressions)
    if (const Status read = rules_.suppressions.read(named.what, limit); !read)
      refuse(placed(read.errors(), named.where));
  return !has_errors();
}

void Verdict::refuse(const Diagnostics& errors) {
  report_.errors.insert(report_.errors.end(), errors.begin(), errors.end());
}

void Verdict::refuse_names(const Diagnostics& errors) {
  refuse(errors);
  misnamed_ = misnamed_ || !errors.empty();
}

void Verdict::warn(Diagnostic warning) {
  rules_.warnings.judge(warning);
  const bool is_error = warning.severity == Severity::kError;
  (is_error ? report_.errors : report_.warnings).push_back(std::move(warning));
}

bool Verdict::suppress(const Diagnostic& diagnostic) {
  const auto entry = rules_.suppressions.take({diagnostic});
  if (entry && report_.suppressed.size() < kMostSuppressedKept)
    report_.suppressed.push_back({diagnostic, *entry});
  return entry.has_value();
}

void Verdict::fail(FailedExpectation failure, const SourceLine& where) {
  failure.diagnostic = placed({std::move(failure.diagnostic)}, where)[0];
  failure.number = report_.expectations;
  if (has_poison_ && report_.failures.empty())
    failure.diagnostic.notes.emplace_back(
        "local and private memory that nothing has written is poisoned, as by 'transpire run "
        "--poison'");
  report_.failures.push_back(std::move(failure));
}

void Verdict::judge(bool ended_early) {
  const bool refusal_expected = !misnamed_ && match_refusals();
  if (refusal_expected && report_.failures.empty()) return report_.errors.clear();
  if (!has_errors()) match_expected_faults();
  suppress_findings();
  if (!has_errors()) match_no_faults();
  if (!has_errors() && !ended_early)
    for (Diagnostic& unused : rules_.suppressions.unused()) warn(std::move(unused));
  report_.suppressions = rules_.suppressions.entries();
  set_exit_code(refusal_expected);
}

/// Checks expected refusals. True if the plan expects any; then the errors are accounted for.
bool Verdict::match_refusals() {
  for (const ExpectedRefusal& refusal : plan_.expected_refusals) {
    expect();
    const bool found =
        std::any_of(report_.errors.begin(), report_.errors.end(),
                    [&](const Diagnostic& error) { return error.rule == refusal.rule; });
    if (found) continue;
    Diagnostic failure =
        command_error(kExpectationUnmet,
                      fmt::format("a refusal with {} was expected, {}", refusal.rule,
                                  has_errors() ? "it was refused with " + report_.errors[0].rule
                                               : "the module was accepted"));
    fail({std::move(failure)}, refusal.where);
  }
  return !plan_.expected_refusals.empty();
}

void Verdict::match_expected_faults() {
  for (const ExpectedFault& fault : plan_.expected_faults) {
    expect();
    bool found = false;
    for (ReportedFinding& finding : report_.findings) {
      const bool matches = finding.finding.diagnostic.rule == fault.rule &&
                           (fault.buffer.empty() || finding.finding.allocation == fault.buffer) &&
                           (!fault.at || finding.finding.global_id == *fault.at) &&
                           is_there(finding.finding.diagnostic.source, fault);
      finding.expected |= matches;
      found |= matches;
    }
    if (found) continue;
    Diagnostic failure = command_error(
        kExpectationUnmet,
        fmt::format(
            "{}{}{}{} was expected and did not happen", fault.rule,
            fault.buffer.empty() ? "" : fmt::format(" on '{}'", fault.buffer),
            fault.at ? fmt::format(" at ({},{},{})", (*fault.at)[0], (*fault.at)[1], (*fault.at)[2])
                     : "",
            place_text(fault)));
    if (!find_rule(fault.rule))
      failure.help = "no rule has that id; 'transpire explain' lists them";
    fail({std::move(failure)}, fault.where);
  }
}

/// Matches unexpected findings with suppressions. The others may become errors by -W.
void Verdict::suppress_findings() {
  for (ReportedFinding& reported : report_.findings) {
    if (reported.expected) continue;
    Finding& finding = reported.finding;
    reported.suppressed_by = rules_.suppressions.take({finding.diagnostic, finding.allocation});
    if (!reported.suppressed_by) rules_.warnings.judge(finding.diagnostic);
  }
}

/// Checks `expect no faults`: the run has no findings, not even warnings.
void Verdict::match_no_faults() {
  if (!plan_.no_faults) return;
  expect();
  std::size_t count = 0;
  std::vector<std::string> rules;
  for (const ReportedFinding& reported : report_.findings) {
    const Diagnostic& diagnostic = reported.finding.diagnostic;
    if (!is_open(reported) || diagnostic.severity == Severity::kNote) continue;
    ++count;
    if (std::ranges::find(rules, diagnostic.rule) == rules.end()) rules.push_back(diagnostic.rule);
  }
  if (count == 0) return;
  fail({command_error(kExpectationUnmet,
                      fmt::format("no faults were expected, and {} found: {}",
                                  count == 1 ? "one was" : fmt::format("{} were", count),
                                  fmt::join(rules, ", ")))},
       *plan_.no_faults);
}

/// The first failure in the order of docs/launch-file.md decides the exit code.
void Verdict::set_exit_code(bool refusal_expected) {
  Diagnostics faults;
  for (const ReportedFinding& finding : report_.findings)
    if (is_open(finding) && finding.finding.is_error())
      faults.push_back(finding.finding.diagnostic);
  std::stable_sort(faults.begin(), faults.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return exit_code_of({a}) < exit_code_of({b});
  });
  // Other limits have findings of their own. A plan that expects all reported findings accepts the limit of findings, too.
  const bool all_expected =
      std::ranges::all_of(report_.findings, [](const auto& finding) { return finding.expected; });
  const bool cut_short = std::ranges::any_of(report_.launches, [&](const LaunchReport& launch) {
    return (launch.end == LaunchResult::End::kTooManyFindings && !all_expected) ||
           launch.end == LaunchResult::End::kCancelled;
  });
  const bool limited = cut_short || std::ranges::any_of(faults, [](const Diagnostic& fault) {
                         return exit_code_of({fault}) == kLimit;
                       });
  // After a launch that a limit ended, the limit explains unmet expectations.
  if (!report_.errors.empty() && !limited)
    report_.exit_code = refusal_expected ? kExpectationFailed : exit_code_of(report_.errors);
  else if (!faults.empty())
    report_.exit_code = exit_code_of(faults);
  else if (cut_short)
    report_.exit_code = kLimit;
  else if (!report_.failures.empty())
    report_.exit_code = kExpectationFailed;
}

}  // namespace transpire::launch
