// The order of a run's parts: see launch/runner/runner.h.
#include <fmt/format.h>

#include <algorithm>

#include "launch/report/diagnose.h"
#include "launch/runner/runner.h"

namespace transpire::launch {

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
    if (!made) verdict_.refuse(made.errors());
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
    if (!done) verdict_.refuse(done.errors());
    // No time is left for the steps that follow.
    if (!done && clock_.limit().end() != WorkLimit::End::kNone) break;
    if (is_launch) clock_.begin();
  }
  if (ready && report_.errors.empty()) {
    const Status finished = within_memory("the finalizers", [this] { return finish_module(); });
    if (!finished) verdict_.refuse(finished.errors());
  }
  if (buffers_ && overrides_.collect_buffers)
    report_.buffers = buffers_->reports(overrides_.watched);
  verdict_.judge(stopped_);
  return std::move(report_);
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
