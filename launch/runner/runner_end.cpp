// The end of a run: compares findings with expectations and suppressions, and decides the exit code. See
// launch/runner/runner.h.
#include <fmt/format.h>

#include <algorithm>

#include "launch/report/diagnose.h"
#include "launch/runner/runner.h"

namespace transpire::launch {

namespace {

bool is_there(const SourceLine& place, const ExpectedFault& fault) {
  return (fault.line == 0 || fault.line == place.line) &&
         (fault.column == 0 || fault.column == place.column);
}

/// " in line 12, column 3"
std::string spelled_place(const ExpectedFault& fault) {
  if (fault.line == 0) return {};
  return fault.column == 0 ? fmt::format(" in line {}", fault.line)
                           : fmt::format(" in line {}, column {}", fault.line, fault.column);
}

}  // namespace

void Runner::match_expected_faults() {
  for (const ExpectedFault& fault : plan_.expected_faults) {
    ++report_.expectations;
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
            spelled_place(fault)));
    if (!find_rule(fault.rule))
      failure.help = "no rule has that id; 'transpire explain' lists them";
    fail({std::move(failure)}, {}, fault.where);
  }
}

/// Matches unexpected findings with suppressions. The others may become errors by -W.
void Runner::judge_findings() {
  for (ReportedFinding& reported : report_.findings) {
    if (reported.expected) continue;
    Finding& finding = reported.finding;
    reported.suppressed_by = rules_.suppressions.take({finding.diagnostic, finding.allocation});
    if (!reported.suppressed_by) rules_.warnings.judge(finding.diagnostic);
  }
}

/// Checks `expect no faults`: the run has no findings, not even warnings.
void Runner::match_no_faults() {
  if (!plan_.no_faults) return;
  ++report_.expectations;
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
       {}, *plan_.no_faults);
}

/// Warns of unused suppressions, if the run was not ended early.
void Runner::tell_unused() {
  if (stopped_) return;
  for (Diagnostic& unused : rules_.suppressions.unused()) {
    rules_.warnings.judge(unused);
    const bool is_error = unused.severity == Severity::kError;
    (is_error ? report_.errors : report_.warnings).push_back(std::move(unused));
  }
}

/// Checks expected refusals. True if the plan expects any; then the errors are accounted for.
bool Runner::match_refusals() {
  for (const ExpectedRefusal& refusal : plan_.expected_refusals) {
    ++report_.expectations;
    const bool found =
        std::any_of(report_.errors.begin(), report_.errors.end(),
                    [&](const Diagnostic& error) { return error.rule == refusal.rule; });
    if (found) continue;
    Diagnostic failure = command_error(
        kExpectationUnmet,
        fmt::format("a refusal with {} was expected, {}", refusal.rule,
                    report_.errors.empty() ? "the module was accepted"
                                           : "it was refused with " + report_.errors[0].rule));
    fail({std::move(failure)}, {}, refusal.where);
  }
  return !plan_.expected_refusals.empty();
}

void Runner::collect_buffers() {
  std::map<const BoundBuffer*, std::size_t> seen;
  const auto add = [&](const std::string& name, const BoundBufferPointer& buffer) {
    const auto [at, is_new] = seen.emplace(buffer.get(), report_.buffers.size());
    if (is_new) {
      const auto bytes = buffer->memory.bytes();
      BufferReport report{name, buffer->type, {bytes.begin(), bytes.end()}};
      if (buffer->image) report.texels.emplace(*buffer->image);
      report.is_pipe = buffer->pipe.has_value();
      if (overrides_.watched && overrides_.watched->offset_bytes < bytes.size())
        report.last_store =
            overrides_.watched->log.last(bytes.data() + overrides_.watched->offset_bytes);
      report_.buffers.push_back(std::move(report));
    }
    report_.buffers[at->second].names.push_back(name);
  };
  for (const auto& [name, buffer] : declared_) add(name, buffer);
  for (const auto& [name, buffer] : of_arguments_) add(name, buffer);
}

namespace {

/// The work of a step, for the message that memory ran out.
std::string_view doing(const Step& step) {
  if (std::holds_alternative<LaunchStep>(step)) return "the launch";
  return std::holds_alternative<OutputStep>(step) ? "what is written"
                                                  : "what is printed or compared";
}

/// The work of a step, for the message that time ran out: "'y' was printed".
std::string what_was_done(const Step& step) {
  if (const auto* print = std::get_if<PrintStep>(&step))
    return fmt::format("'{}' was printed", print->slice.name);
  if (const auto* output = std::get_if<OutputStep>(&step))
    return fmt::format("'{}' was written", output->buffer);
  if (const auto* expect = std::get_if<ExpectBufferStep>(&step))
    return fmt::format("'{}' was compared", expect->slice.name);
  return std::holds_alternative<LaunchStep>(step) ? "a launch was prepared"
                                                  : "the output of printf was compared";
}

}  // namespace

/// Does everything before the first launch. False if there was an error.
bool Runner::prepare() {
  const auto phase = [this](std::string_view what, bool (Runner::*part)()) {
    bool good = true;
    const Status made = within_memory(what, [&]() -> Status {
      good = (this->*part)();
      return Unit{};
    });
    if (!made) refuse(made.errors());
    return made && good;
  };
  return phase("the suppressions", &Runner::read_suppressions) &&
         phase("loading and validating the module", &Runner::load) &&
         phase("what is asked for", &Runner::check_names) &&
         phase("the device's threads", &Runner::make_device) &&
         phase("the queues", &Runner::make_queues) &&
         phase("the buffers", &Runner::make_declared_buffers);
}

RunReport Runner::run() {
  const bool ready = prepare();
  bool launched = true;
  for (const Step& next : plan_.steps) {
    const bool is_launch = std::holds_alternative<LaunchStep>(next);
    // All checks behind a launch run, to report all errors. After an error, nothing is launched.
    if (!ready || (!report_.errors.empty() && (is_launch || !launched))) break;
    ++steps_begun_;
    if (!is_launch) begins("printing, comparing and writing");
    const Status done = within_memory(doing(next), [&] {
      return within_limit(what_was_done(next), [&] {
        return std::visit([this](const auto& s) { return step(s); }, next);
      });
    });
    launched = done || !is_launch;
    if (!done) refuse(done.errors());
    // No time is left for the steps that follow.
    if (!done && clock_.limit().end() != WorkLimit::End::kNone) break;
    if (is_launch) clock_.begin();
  }
  if (ready && report_.errors.empty()) {
    const Status finished = within_memory("the finalizers", [this] { return finish_module(); });
    if (!finished) refuse(finished.errors());
  }
  if (overrides_.collect_buffers) collect_buffers();
  const bool refusal_expected = !misnamed_ && match_refusals();
  if (refusal_expected && report_.failures.empty()) {
    report_.errors.clear();
    return std::move(report_);
  }
  if (report_.errors.empty()) match_expected_faults();
  judge_findings();
  if (report_.errors.empty()) match_no_faults();
  if (report_.errors.empty()) tell_unused();
  report_.suppressions = rules_.suppressions.entries();
  set_exit_code(refusal_expected);
  return std::move(report_);
}

/// The first failure in the order of docs/launch-file.md decides the exit code.
void Runner::set_exit_code(bool refusal_expected) {
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

RunReport run_plan(const LaunchPlan& plan, const RunOverrides& overrides) {
  RunReport report = Runner(plan, overrides).run();
  if (plan.text.empty()) return report;
  for (Diagnostics* each : {&report.errors, &report.warnings})
    *each = quoted(std::move(*each), plan.input, plan.text);
  for (FailedExpectation& each : report.failures)
    each.diagnostic = quoted({std::move(each.diagnostic)}, plan.input, plan.text)[0];
  return report;
}

}  // namespace transpire::launch
