// Carries out the steps of a plan: see launch/runner/runner.h.
#include "launch/runner/runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "launch/language/parameters.h"
#include "launch/report/diagnose.h"
#include "launch/runner/print_text.h"

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

constexpr const char* kBeyondDevice = "TSP-C0005";

/// Place of the statement that causes these errors of the launch.
const SourceLine& place_of(const LaunchStep& step, const Launch& launch,
                           const Diagnostics& errors) {
  const bool refused =
      !errors.empty() && (errors[0].rule == kBadGeometry || errors[0].rule == kBeyondDevice);
  return refused ? place_of(step, launch) : step.where;
}

/// True if memory of the kernel begins as poison where a plan wants it.
bool may_be_poisoned(const KernelInfo& kernel) {
  const auto is_local = [](const ParameterInfo& p) { return kind_of(p) == ParameterKind::kLocal; };
  return kernel.local_bytes != 0 || kernel.private_bytes != 0 ||
         std::ranges::any_of(kernel.parameters, is_local);
}

/// The error that the time of the run was over between two launches.
Diagnostic out_of_time(const LaunchReport& report) {
  return command_error(kTimeLimit,
                       fmt::format("the time limit of the whole run was reached after {} "
                                   "launch{} of kernel '{}'",
                                   report.repeats, report.repeats == 1 ? "" : "es", report.kernel),
                       "'--timeout-total' is for all launches together, '--timeout' for each");
}

}  // namespace

Runner::Runner(const LaunchPlan& plan, const RunOverrides& overrides, const Machine& machine,
               RunClock& clock, Verdict& verdict, RunReport& report)
    : plan_(plan),
      overrides_(overrides),
      machine_(machine),
      clock_(clock),
      verdict_(verdict),
      report_(report),
      buffers_(machine.programs[0], machine.device,
               machine.settings.max_memory_bytes.value_or(Limits{}.max_memory_bytes),
               clock.limit()),
      writers_(machine.programs),
      arguments_(plan, machine.programs, machine.queues, buffers_, clock.limit(), overrides.begins),
      launcher_(machine, overrides, clock, buffers_, report),
      outputs_(buffers_, clock.limit(), report),
      expectations_(plan, overrides, machine.settings, buffers_, writers_, machine.results,
                    clock.limit()) {}

void Runner::begins(const std::string& part) const {
  if (overrides_.begins) overrides_.begins(part);
}

Diagnostics Runner::located(const Diagnostics& errors, const SourceLine& where) const {
  return launch::located(errors, where, plan_.input);
}

/// True if the buffer is unknown because a launch was ended early.
bool Runner::was_left_out(const std::string& name) const {
  return launcher_.has_stopped() && buffers_.find(name) == nullptr;
}

void Runner::run() {
  const Status made = within_memory("the buffers", [this] { return declare_buffers(); });
  if (made)
    carry_out_steps();
  else
    verdict_.refuse(made.errors());
  if (!verdict_.has_errors()) {
    const Status finished = within_memory("the finalizers", [this] { return launcher_.finish(); });
    if (!finished) verdict_.refuse(finished.errors());
  }
  if (overrides_.collect_buffers) report_.buffers = buffers_.reports(overrides_.watched);
}

Status Runner::declare_buffers() {
  if (Status made = buffers_.make_shared(plan_.buffers, machine_.settings.shared_base); !made)
    return made;
  // In JSON a slice may come before its buffer, so slices are declared last.
  std::size_t count = 0;
  for (const bool slices : {false, true}) {
    for (const BufferSpec& spec : plan_.buffers) {
      if ((spec.kind == BufferSpec::Kind::kSlice) != slices) continue;
      begins(fmt::format("setting up buffer '{}', {} of {}", spec.name, ++count,
                         plan_.buffers.size()));
      const Status made = within_limit(fmt::format("buffer '{}' was made", spec.name),
                                       [&] { return buffers_.declare(spec); });
      if (!made) return placed(made.errors(), spec.where);
    }
  }
  return Unit{};
}

void Runner::carry_out_steps() {
  bool launched = true;
  for (const Step& next : plan_.steps) {
    const bool is_launch = std::holds_alternative<LaunchStep>(next);
    // All checks behind a launch run, to report all errors. After an error, nothing is launched.
    if (verdict_.has_errors() && (is_launch || !launched)) return;
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
    if (!done && clock_.limit().end() != WorkLimit::End::kNone) return;
    if (is_launch) clock_.begin();
  }
}

Status Runner::step(const LaunchStep& step) {
  if (launcher_.has_stopped()) return Unit{};
  Diagnostics errors;
  if (const Status done = arguments_.bind(step); !done) errors = located(done.errors(), step.where);
  const KernelInfo* const known = arguments_.kernel();
  const auto geometry = geometry_of(step, known != nullptr ? *known : KernelInfo{}, plan_.input);
  if (!geometry) errors.insert(errors.end(), geometry.errors().begin(), geometry.errors().end());
  if (!errors.empty()) return errors;
  const KernelInfo& kernel = *arguments_.kernel();
  outputs_.set_geometry(*geometry);
  if (const Status fine = check_outputs(step); !fine) return fine;
  Launch launch = launcher_.launch_of(kernel, step.program, *geometry, arguments_.bound());
  if (launch.lenient) launcher_.warn_of_leniency(launch, place_of(step, launch));
  LaunchReport report;
  report.kernel = kernel.name;
  report.dimensions = geometry->dimensions;
  report.global_size = geometry->global_size;
  report.global_offset = geometry->global_offset;
  if (overrides_.prepared) overrides_.prepared();
  begins(fmt::format("preparing kernel '{}'", kernel.name));
  if (const Status done = repeat(step, launch, report); !done)
    return located(done.errors(), place_of(step, launch, done.errors()));
  arguments_.keep_names();
  writers_.note(kernel, arguments_.bound(), step.program);
  if (const Status seen = buffers_.look_at_pipes(); !seen)
    return located(seen.errors(), step.where);
  if (machine_.settings.poison.value_or(false) && may_be_poisoned(kernel)) verdict_.note_poison();
  report_.text += report.printf_output;
  const LaunchReport& kept = report_.launches.emplace_back(std::move(report));
  if (kept.repeats == step.repeat || launcher_.has_stopped()) return Unit{};
  return located({out_of_time(kept)}, step.where);
}

/// Launches as often as the step says. Stops early when a launch ended early, the caller wants it, or the time of the run is
/// over.
Status Runner::repeat(const LaunchStep& step, Launch& launch, LaunchReport& sums) {
  while (sums.repeats < step.repeat && !launcher_.has_stopped() && !clock_.is_over()) {
    launch.limits.timeout_seconds = clock_.seconds_left();
    if (overrides_.interrupted && overrides_.interrupted()) {
      launcher_.stop();  // short launches do not report progress
      break;
    }
    if (Status done = launcher_.run(launch, sums); !done) return done;
    if (Status done = arguments_.swap(step, launch); !done) return done;
  }
  return Unit{};
}

/// Checks that elements fit the files of the outputs behind a launch. Swapped buffers are checked only when they are written.
Status Runner::check_outputs(const LaunchStep& launch) const {
  const KernelInfo& kernel = *arguments_.kernel();
  const auto is_swapped = [&](const std::string& name) {
    const auto mine = find_parameter(kernel, name);
    return mine && std::ranges::any_of(launch.swaps, [&](const auto& swap) {
             const auto first = find_parameter(kernel, swap.first);
             const auto second = find_parameter(kernel, swap.second);
             return (first && *first == *mine) || (second && *second == *mine);
           });
  };
  for (std::size_t i = steps_begun_; i < plan_.steps.size(); ++i) {
    if (std::holds_alternative<LaunchStep>(plan_.steps[i])) break;
    const auto* const output = std::get_if<OutputStep>(&plan_.steps[i]);
    if (output == nullptr || is_swapped(output->buffer)) continue;
    const Status fits = outputs_.check(*output);
    if (!fits) return located(fits.errors(), output->where);
  }
  return Unit{};
}

Status Runner::step(const OutputStep& output) {
  if (was_left_out(output.buffer)) return Unit{};
  const Status done = outputs_.write(output);
  if (!done) return located(done.errors(), output.where);
  return done;
}

Status Runner::step(const PrintStep& print) {
  if (was_left_out(print.slice.name)) return Unit{};
  const auto view = buffers_.view(print.slice, print.type);
  if (!view) return placed(view.errors(), print.where);
  if (auto doubt = writers_.doubt(*view, clock_.limit())) {
    *doubt = placed({std::move(*doubt)}, print.where)[0];
    if (!verdict_.suppress(*doubt)) verdict_.warn(std::move(*doubt));
  }
  const RangeAt ranges = print.ranges ? ranges_of(*view, *machine_.results) : RangeAt();
  const Status done = print_view(print, *view, ranges, buffers_, clock_.limit(), report_);
  if (!done) return placed(done.errors(), print.where);
  return done;
}

Status Runner::step(const ExpectBufferStep& expect) {
  if (was_left_out(expect.slice.name)) return Unit{};
  verdict_.expect();
  auto failure = expectations_.check(expect);
  if (!failure) return placed(failure.errors(), expect.where);
  if (*failure) verdict_.fail(*std::move(*failure), expect.where);
  return Unit{};
}

Status Runner::step(const ExpectPrintfStep& expect) {
  verdict_.expect();
  auto failure = expectations_.check(
      expect, report_.launches.empty() ? "" : report_.launches.back().printf_output);
  if (failure) verdict_.fail(*std::move(failure), expect.where);
  return Unit{};
}

RunReport run_plan(const LaunchPlan& plan, const RunOverrides& overrides) {
  RunReport report;
  Verdict verdict(plan, overrides.rules, report);
  const AskedSettings settings = merged(plan.settings, overrides.settings);
  RunClock clock(settings, overrides.interrupted);
  bool ended_early = false;
  if (const auto machine = prepare_machine(plan, overrides, settings, clock, verdict, report)) {
    Runner runner(plan, overrides, *machine, clock, verdict, report);
    runner.run();
    ended_early = runner.ended_early();
  }
  verdict.judge(ended_early);
  if (plan.text.empty()) return report;
  for (Diagnostics* each : {&report.errors, &report.warnings})
    *each = quoted(std::move(*each), plan.input, plan.text);
  for (FailedExpectation& each : report.failures)
    each.diagnostic = quoted({std::move(each.diagnostic)}, plan.input, plan.text)[0];
  return report;
}

}  // namespace transpire::launch
