// Prints and expectations of a run: see launch/runner/runner.h.
#include "launch/report/diagnose.h"
#include "launch/runner/print_text.h"
#include "launch/runner/runner.h"

namespace transpire::launch {

Runner::Runner(const LaunchPlan& plan, const RunOverrides& overrides)
    : plan_(plan),
      overrides_(overrides),
      settings_(merged(plan.settings, overrides.settings)),
      max_bytes_(settings_.max_memory_bytes.value_or(Limits{}.max_memory_bytes)),
      clock_(settings_, overrides.interrupted),
      verdict_(plan, overrides.rules, report_) {}

/// True if the buffer is unknown because a launch was ended early.
bool Runner::was_left_out(const std::string& name) const {
  return stopped_ && buffers_->find(name) == nullptr;
}

Status Runner::step(const PrintStep& print) {
  if (was_left_out(print.slice.name)) return Unit{};
  const auto view = buffers_->view(print.slice, print.type);
  if (!view) return placed(view.errors(), print.where);
  if (auto doubt = writers_->doubt(*view, clock_.limit())) {
    *doubt = placed({std::move(*doubt)}, print.where)[0];
    if (!verdict_.suppress(*doubt)) verdict_.warn(std::move(*doubt));
  }
  const RangeAt ranges = print.ranges ? ranges_of(*view, *results_) : RangeAt();
  const Status done = print_view(print, *view, ranges, *buffers_, clock_.limit(), report_);
  if (!done) return placed(done.errors(), print.where);
  return done;
}

Status Runner::step(const ExpectBufferStep& expect) {
  if (was_left_out(expect.slice.name)) return Unit{};
  verdict_.expect();
  auto failure = expectations_->check(expect);
  if (!failure) return placed(failure.errors(), expect.where);
  if (*failure) verdict_.fail(*std::move(*failure), expect.where);
  return Unit{};
}

Status Runner::step(const ExpectPrintfStep& expect) {
  verdict_.expect();
  auto failure = expectations_->check(
      expect, report_.launches.empty() ? "" : report_.launches.back().printf_output);
  if (failure) verdict_.fail(*std::move(failure), expect.where);
  return Unit{};
}

}  // namespace transpire::launch
