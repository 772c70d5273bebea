// Modules, arguments and launches of a run: see launch/runner/runner.h.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "launch/language/parameters.h"
#include "launch/report/diagnose.h"
#include "launch/report/text.h"
#include "launch/runner/launch_tree.h"
#include "launch/runner/runner.h"
#include "transpire/launch_rules.hpp"

namespace transpire::launch {

void set_severities(const WarningRules& rules, ValidateOptions& options) {
  options.as_errors.assign(rules.errors().begin(), rules.errors().end());
  options.as_warnings.assign(rules.exceptions().begin(), rules.exceptions().end());
}

// ---- Module and device --------------------------------------------------------------------------

bool Runner::load() {
  begins("loading and validating the module");
  auto module =
      overrides_.module ? Result<Module>(*overrides_.module) : load_module(plan_, settings_);
  if (!module) {
    verdict_.refuse(module.errors());
    return false;
  }
  module_ = std::move(module).value();
  for (const CompiledFrom& source : module_->compiled_from())
    if (source.is_for_checks) report_.compiled_for_checks.push_back(source.name);
  if (settings_.check_ub.value_or(false))
    for (Diagnostic& note : module_->unseen_by_check_ub())
      if (!verdict_.suppress(note)) verdict_.warn(std::move(note));
  return judge_warnings() && validate();
}

bool Runner::read_suppressions() {
  return verdict_.read_suppressions(text_limit(clock_.limit().time, max_bytes_));
}

bool Runner::judge_warnings() {
  for (const Diagnostic& warning : module_->compiler_warnings())
    if (!verdict_.suppress(warning)) verdict_.warn(warning);
  return !verdict_.has_errors();
}

/// Kernels of the plan's launches, and initializers and finalizers. Empty if a kernel is not known.
std::vector<std::string> Runner::launched_kernels() const {
  std::set<std::string> names;
  for (const KernelInfo& kernel : module_->info().kernels)
    if (kernel.is_initializer || kernel.is_finalizer) names.insert(kernel.name);
  for (const Step& step : plan_.steps) {
    const auto* const launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr) continue;
    const auto kernel = find_kernel(module_->info(), launch->kernel);
    if (!kernel) return {};
    names.insert((*kernel)->name);
  }
  return {names.begin(), names.end()};
}

/// Fails for a graphics module, in place of the validator's many errors.
Status Runner::check_purpose() const {
  const ModuleInfo& info = module_->info();
  const auto has = [&](const char* name) {
    return std::ranges::find(info.capabilities, name) != info.capabilities.end();
  };
  if (!info.kernels.empty() || !has("Shader") || has("Kernel")) return Unit{};
  Diagnostic error = command_error(
      kNotSupported, "the module is a shader, for graphics; Transpire runs kernels of OpenCL",
      "compile OpenCL C for OpenCL: 'transpire compile FILE.cl', or clang with --target=spirv64");
  error.input = info.name;
  return error;
}

bool Runner::validate() {
  if (const Status good = check_purpose(); !good) {
    verdict_.refuse(good.errors());
    return false;
  }
  if (overrides_.strictness == Strictness::kNone) return true;
  ValidateOptions options;
  options.environment = settings_.environment.value_or("");
  options.kernels = launched_kernels();
  options.strictness = overrides_.strictness;
  options.second_opinion = false;
  // -Werror does not apply to hidden warnings, except those of rules that -W names.
  options.warnings_as_errors = verdict_.rules().warnings.all() && overrides_.warnings;
  set_severities(verdict_.rules().warnings, options);
  if (!verdict_.rules().suppressions.empty())
    options.suppressed = [this](const Diagnostic& found) { return verdict_.suppress(found); };
  options.timeout_seconds = clock_.seconds_left();
  auto validation = module_->validate(options);
  if (!validation) {
    verdict_.refuse(validation.errors());
    return false;
  }
  // The launch uses the same environment for its own rules.
  if (!settings_.environment) settings_.environment = validation->environment;
  report_.environment = validation->environment;
  Diagnostics errors;
  for (Diagnostic& diagnostic : validation->diagnostics) {
    if (diagnostic.severity == Severity::kError)
      errors.push_back(std::move(diagnostic));
    else if (overrides_.warnings)
      report_.warnings.push_back(std::move(diagnostic));
    else if (module_->compiled_from().empty())
      ++report_.hidden_warnings;
  }
  if (errors.empty()) return true;
  if (overrides_.strictness == Strictness::kStrict && errors[0].help.empty())
    errors[0].help = "--strictness=field takes what producers in use make";
  verdict_.refuse(errors);
  return false;
}

bool Runner::make_device() {
  DeviceOptions options;
  options.isa = settings_.isa.value_or("");
  options.threads = settings_.threads.value_or(0);
  auto device = Device::create(options);
  if (!device) {
    verdict_.refuse(device.errors());
    return false;
  }
  device_ = std::move(device).value();
  report_.isa = device_->isa();
  report_.threads = device_->threads();
  const auto asks = [](const Step& step) {
    if (const auto* const print = std::get_if<PrintStep>(&step)) return print->ranges.has_value();
    const auto* const expect = std::get_if<ExpectBufferStep>(&step);
    return expect != nullptr && asks_for_ranges(expect->tolerances);
  };
  if (std::any_of(plan_.steps.begin(), plan_.steps.end(), asks)) results_ = ResultLog::create();
  return true;
}

// ---- Arguments --------------------------------------------------------------------------------

void Runner::begins(const std::string& part) const {
  if (overrides_.begins) overrides_.begins(part);
}

// ---- Launches ---------------------------------------------------------------------------------

Result<Geometry> Runner::geometry_of(const LaunchStep& launch) const {
  if (launch.global.dimensions == 0)
    return located(
        {command_error(
            kBadGeometry, "the launch has no global size",
            "say how many work-items to run: '-g 1024', or 'global 1024' in a launch file")},
        launch.where, plan_.input);
  Geometry geometry;
  geometry.dimensions = launch.global.dimensions;
  const auto fill = [&](std::array<std::uint64_t, 3>& target, const SizeList& sizes,
                        std::uint64_t rest) {
    for (std::uint32_t i = 0; i < 3 && sizes.dimensions != 0; ++i)
      target[i] = i < sizes.dimensions ? sizes.size[i] : rest;
  };
  fill(geometry.global_size, launch.global, 1);
  fill(geometry.local_size, launch.local, 1);
  fill(geometry.global_offset, launch.offset, 0);
  for (const SizeList* sizes : {&launch.local, &launch.offset})
    if (sizes->dimensions > launch.global.dimensions)
      return located(
          {command_error(
              kBadGeometry,
              fmt::format("the global size has {} dimension{}, the {} has {}",
                          launch.global.dimensions, launch.global.dimensions == 1 ? "" : "s",
                          sizes == &launch.local ? "local size" : "offset", sizes->dimensions))},
          sizes->where, plan_.input);
  if (overrides_.local_size && !arguments_->kernel()->required_local_size)
    geometry.local_size = *overrides_.local_size;
  return geometry;
}

/// A launch with the settings of the run. The caller adds arguments and sizes.
Launch Runner::with_settings(const std::string& kernel) const {
  Launch launch(*module_, kernel);
  settings_.apply_to(launch);
  launch.shared = buffers_->shared();
  queues_.give_to(launch);
  settings_.apply_to(launch.limits);
  launch.limits.timeout_seconds = clock_.seconds_left();
  launch.results = results_;
  launch.canceller = overrides_.canceller;
  if (overrides_.watched) launch.stores = overrides_.watched->log;
  if (overrides_.progress) {
    const auto progress = std::make_shared<LaunchProgress>(LaunchProgress{kernel});
    launch.executing = [progress](std::uint64_t count) { progress->instructions = count; };
    launch.progress = [this, progress](std::uint64_t done, std::uint64_t total) {
      progress->done = done;
      progress->total = total;
      return overrides_.progress(*progress);
    };
  }
  return launch;
}

Launch Runner::make_launch(const Geometry& geometry) const {
  Launch launch = with_settings(arguments_->kernel()->name);
  launch.geometry = geometry;
  for (const BoundArgument& argument : arguments_->bound())
    launch.arguments.push_back(argument.argument);
  return launch;
}

/// Runs the module's finalizers if a kernel ran.
Status Runner::finish_module() {
  const auto& kernels = module_->info().kernels;
  const auto ends = [](const KernelInfo& kernel) { return kernel.is_finalizer; };
  if (report_.launches.empty() || std::none_of(kernels.begin(), kernels.end(), ends)) return Unit{};
  auto result = device_->finish(with_settings(""));
  if (!result) return result.errors();
  report_.text += result->printf_output;
  for (Finding& finding : result->findings)
    report_.findings.push_back({std::move(finding), report_.launches.back().kernel, false});
  return Unit{};
}

/// Warns of a refusal that may run all the same and, once for each kernel, of stores through pointers to const.
void Runner::warn_of_leniency(const Launch& launch, const SourceLine& where) {
  Diagnostics warnings;
  if (auto refusal = refusal_of(launch); refusal && refusal->may_run) {
    refusal->diagnostic.severity = Severity::kWarning;
    refusal->diagnostic.help.clear();
    warnings = placed({std::move(refusal->diagnostic)}, where);
  }
  if (lenient_kernels_.insert(launch.kernel).second)
    for (Diagnostic& store : module_->stores_through_const(launch.kernel))
      warnings.push_back(std::move(store));
  for (Diagnostic& warning : warnings) report_.warnings.push_back(std::move(warning));
}

constexpr double kShortSeconds = 0.05;

/// Puts the option and its whole time into the message of a time limit; the launch knows only the remaining time.
void Runner::name_time_limit(Diagnostic& finding, const Launch& launch) const {
  const double each = settings_.timeout_seconds.value_or(0),
               total = settings_.total_timeout_seconds.value_or(0);
  const bool is_total = total > 0 && launch.limits.timeout_seconds != each;
  if (is_total)
    finding.message = fmt::format("kernel '{}' was running when the {:g} s for the whole run ended",
                                  launch.kernel, total);
  finding.help = fmt::format("raise '{}', or find an endless loop with '--max-steps'",
                             is_total ? "--timeout-total" : "--timeout");
}

Status Runner::launch_once(const LaunchStep& step, Launch& launch, LaunchReport& report) {
  if (overrides_.watched) buffers_->watch(*overrides_.watched);
  auto result =
      overrides_.run_launch ? overrides_.run_launch(*device_, launch) : device_->run(launch);
  if (!result) return result.errors();
  ++report.repeats;
  report.local_size = result->local_size;
  report.work_items += result->work_items;
  report.instructions += result->instructions;
  for (const auto& [name, count] : result->instruction_counts)
    report.instruction_counts[name] += count;
  report.wall_seconds += result->wall_seconds;
  report.lower_seconds += result->lower_seconds;
  report.end = result->end;
  report.printf_output += result->printf_output;
  add_children(report, *result);
  for (Finding& finding : result->findings) {
    if (finding.diagnostic.rule == kTimeLimit) name_time_limit(finding.diagnostic, launch);
    report_.findings.push_back({std::move(finding), report.kernel, false});
  }
  if (result->end != LaunchResult::End::kCompleted) stopped_ = true;
  // Reporting progress costs as much as a short launch, so short ones report between launches.
  if (result->wall_seconds < kShortSeconds) launch.progress = nullptr;
  return arguments_->swap(step, launch);
}

namespace {

constexpr const char* kBeyondDevice = "TSP-C0005";

/// Place of the statement that causes a refusal of the launch by the device.
const SourceLine& place_of(const LaunchStep& step, const Launch& launch) {
  const auto refusal = refusal_of(launch);
  if (!refusal) return step.where;
  switch (refusal->kind) {
    case LaunchRefusal::Kind::kParameters:
    case LaunchRefusal::Kind::kLocalMemory:
      return step.where;
    case LaunchRefusal::Kind::kGlobalOffset:
      return step.offset.dimensions != 0 ? step.offset.where : step.global.where;
    case LaunchRefusal::Kind::kItemSize:
    case LaunchRefusal::Kind::kGroupSize:
      return step.local.dimensions != 0 ? step.local.where : step.global.where;
    default:
      return step.global.where;
  }
}

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

}  // namespace

/// Error if the time of the run is over between two launches.
Status Runner::out_of_time(const LaunchReport& report, const SourceLine& where) const {
  return located(
      {command_error(kTimeLimit,
                     fmt::format("the time limit of the whole run was reached after {} "
                                 "launch{} of kernel '{}'",
                                 report.repeats, report.repeats == 1 ? "" : "es", report.kernel),
                     "'--timeout-total' is for all launches together, '--timeout' for "
                     "each")},
      where, plan_.input);
}

Status Runner::step(const LaunchStep& step) {
  if (stopped_) return Unit{};
  Diagnostics errors;
  if (const Status done = arguments_->bind(step); !done)
    errors = located(done.errors(), step.where, plan_.input);
  const auto geometry = geometry_of(step);
  if (!geometry) errors.insert(errors.end(), geometry.errors().begin(), geometry.errors().end());
  if (!errors.empty()) return errors;
  outputs_->set_geometry(*geometry);
  if (const Status fine = check_outputs(step); !fine) return fine;
  Launch launch = make_launch(*geometry);
  if (launch.lenient) warn_of_leniency(launch, place_of(step, launch));
  LaunchReport report;
  report.kernel = arguments_->kernel()->name;
  report.dimensions = geometry->dimensions;
  report.global_size = geometry->global_size;
  report.global_offset = geometry->global_offset;
  if (overrides_.prepared) overrides_.prepared();
  begins(fmt::format("preparing kernel '{}'", arguments_->kernel()->name));
  Status ended = Unit{};
  for (std::uint64_t i = 0; i < step.repeat && !stopped_; ++i) {
    if (clock_.is_over()) {
      ended = out_of_time(report, step.where);
      break;
    }
    launch.limits.timeout_seconds = clock_.seconds_left();
    if (overrides_.interrupted &&
        overrides_.interrupted()) {  // short launches do not report progress
      stopped_ = true;
      break;
    }
    if (const Status done = launch_once(step, launch, report); !done)
      return located(done.errors(), place_of(step, launch, done.errors()), plan_.input);
  }
  arguments_->keep_names();
  writers_->note(*arguments_->kernel(), arguments_->bound());
  if (const Status seen = buffers_->look_at_pipes(); !seen)
    return located(seen.errors(), step.where, plan_.input);
  report_.text += report.printf_output;
  report_.launches.push_back(std::move(report));
  if (settings_.poison.value_or(false) && may_be_poisoned(*arguments_->kernel()))
    verdict_.note_poison();
  return ended;
}

}  // namespace transpire::launch
