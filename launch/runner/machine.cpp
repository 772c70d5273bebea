// Prepares the machine of a run: see launch/runner/machine.h.
#include "launch/runner/machine.h"

#include <algorithm>
#include <set>

#include "launch/language/parameters.h"
#include "launch/report/diagnose.h"
#include "launch/runner/plan_check.h"

namespace transpire::launch {

void set_severities(const WarningRules& rules, ValidateOptions& options) {
  options.as_errors.assign(rules.errors().begin(), rules.errors().end());
  options.as_warnings.assign(rules.exceptions().begin(), rules.exceptions().end());
}

namespace {

/// Makes the parts of a machine one after the other.
class Preparation {
 public:
  Preparation(const LaunchPlan& plan, const RunOverrides& overrides, AskedSettings settings,
              const RunClock& clock, Verdict& verdict, RunReport& report)
      : plan_(plan),
        overrides_(overrides),
        settings_(std::move(settings)),
        environment_(settings_.environment),
        clock_(clock),
        verdict_(verdict),
        report_(report) {}

  std::optional<Machine> prepare();

 private:
  // The run ends behind a part that fails, or that puts an error into the verdict.
  Status read_suppressions();
  Status load();
  Status check_purpose();
  Status validate();
  Status validate(std::size_t program);
  Status check_plan();
  Status make_device();
  Status make_queues();
  std::vector<std::string> launched_kernels(std::size_t program) const;

  const LaunchPlan& plan_;
  const RunOverrides& overrides_;
  AskedSettings settings_;
  std::optional<std::string> environment_;  ///< nothing: each module of a script decides
  const RunClock& clock_;
  Verdict& verdict_;
  RunReport& report_;
  std::optional<Programs> programs_;
  std::optional<Device> device_;
  std::optional<ResultLog> results_;
  KnownQueues queues_;
};

Status Preparation::read_suppressions() {
  const std::uint64_t max_bytes = settings_.max_memory_bytes.value_or(Limits{}.max_memory_bytes);
  verdict_.read_suppressions(text_limit(clock_.limit().time, max_bytes));
  return Unit{};
}

Status Preparation::load() {
  if (overrides_.begins) overrides_.begins("loading and validating the module");
  TRANSPIRE_TRY(Module first,
                overrides_.module ? *overrides_.module : load_module(plan_, settings_));
  TRANSPIRE_TRY(std::vector<Module> others, load_programs(plan_, settings_));
  programs_.emplace(std::move(first), std::move(others));
  Diagnostics warnings;
  for (const Module& module : *programs_) {
    for (const CompiledFrom& source : module.compiled_from())
      if (source.is_for_checks) report_.compiled_for_checks.push_back(source.name);
    if (settings_.check_ub.value_or(false))
      for (Diagnostic& each : module.unseen_by_check_ub()) warnings.push_back(std::move(each));
    for (const Diagnostic& warning : module.compiler_warnings()) warnings.push_back(warning);
  }
  for (Diagnostic& warning : warnings)
    if (!verdict_.suppress(warning)) verdict_.warn(std::move(warning));
  return Unit{};
}

/// Kernels of the module's launches, and initializers and finalizers. Empty if a kernel is not known.
std::vector<std::string> Preparation::launched_kernels(std::size_t program) const {
  const ModuleInfo& info = (*programs_)[program].info();
  std::set<std::string> names;
  for (const KernelInfo& kernel : info.kernels)
    if (kernel.is_initializer || kernel.is_finalizer) names.insert(kernel.name);
  for (const Step& step : plan_.steps) {
    const auto* const launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr || launch->program != program) continue;
    const auto kernel = find_kernel(info, launch->kernel);
    if (!kernel) return {};
    names.insert((*kernel)->name);
  }
  return {names.begin(), names.end()};
}

/// Fails for a graphics module, in place of the validator's many errors.
Status Preparation::check_purpose() {
  const ModuleInfo& info = (*programs_)[0].info();
  const auto has = [&](const char* name) {
    return std::ranges::find(info.capabilities, name) != info.capabilities.end();
  };
  if (!info.kernels.empty() || !has("Shader") || has("Kernel")) return Unit{};
  Diagnostic error = command_error(
      kNotSupported,
      "the module is a shader, for graphics; Transpire runs kernels of OpenCL and compute shaders",
      "compile OpenCL C for OpenCL: 'transpire compile FILE.cl', or clang with --target=spirv64");
  error.input = info.name;
  return error;
}

Status Preparation::validate() {
  if (overrides_.strictness == Strictness::kNone) return Unit{};
  for (std::size_t i = 0; i <= plan_.programs.size(); ++i)
    if (Status valid = validate(i); !valid) return valid;
  return Unit{};
}

Status Preparation::validate(std::size_t program) {
  const Module& module = (*programs_)[program];
  ValidateOptions options;
  options.environment = environment_.value_or("");
  options.kernels = launched_kernels(program);
  options.strictness = overrides_.strictness;
  options.second_opinion = false;
  // -Werror does not apply to hidden warnings, except those of rules that -W names.
  options.warnings_as_errors = verdict_.rules().warnings.all() && overrides_.warnings;
  set_severities(verdict_.rules().warnings, options);
  if (!verdict_.rules().suppressions.empty())
    options.suppressed = [this](const Diagnostic& found) { return verdict_.suppress(found); };
  options.timeout_seconds = clock_.seconds_left();
  auto validation = module.validate(options);
  if (!validation) return validation.errors();
  // The launch uses the same environment for its own rules.
  if (!settings_.environment) settings_.environment = validation->environment;
  if (program == 0) report_.environment = validation->environment;
  Diagnostics errors;
  for (Diagnostic& diagnostic : validation->diagnostics) {
    if (diagnostic.severity == Severity::kError)
      errors.push_back(std::move(diagnostic));
    else if (overrides_.warnings)
      report_.warnings.push_back(std::move(diagnostic));
    else if (module.compiled_from().empty())
      ++report_.hidden_warnings;
  }
  if (errors.empty()) return Unit{};
  if (overrides_.strictness == Strictness::kStrict && errors[0].help.empty())
    errors[0].help = "--strictness=field takes what producers in use make";
  return errors;
}

Status Preparation::make_device() {
  TRANSPIRE_TRY(device_,
                Device::create({settings_.isa.value_or(""), settings_.threads.value_or(0)}));
  report_.isa = device_->isa();
  report_.threads = device_->threads();
  const auto asks = [](const Step& step) {
    if (const auto* const print = std::get_if<PrintStep>(&step)) return print->ranges.has_value();
    const auto* const expect = std::get_if<ExpectBufferStep>(&step);
    return expect != nullptr && asks_for_ranges(expect->tolerances);
  };
  if (std::ranges::any_of(plan_.steps, asks)) results_ = ResultLog::create();
  return Unit{};
}

Status Preparation::check_plan() {
  const Diagnostics launches = launch_errors(plan_, programs_->infos());
  verdict_.refuse(launches);
  // Other names may be arguments of the unknown kernel.
  if (std::ranges::find(launches, kNoSuchKernel, &Diagnostic::rule) != launches.end())
    return Unit{};
  const Diagnostics names = name_errors(plan_, programs_->infos(), overrides_.difference_folder);
  verdict_.refuse_names(names);
  if (names.empty())
    for (Diagnostic& warning : file_warnings(plan_)) verdict_.warn(std::move(warning));
  return Unit{};
}

Status Preparation::make_queues() {
  auto queues = queues_of(plan_);
  if (!queues) return located(queues.errors(), {}, plan_.input);
  queues_ = std::move(queues).value();
  return Unit{};
}

std::optional<Machine> Preparation::prepare() {
  const auto phase = [this](std::string_view what, Status (Preparation::*part)()) {
    const Status done = within_memory(what, [&] { return (this->*part)(); });
    if (!done) verdict_.refuse(done.errors());
    return !verdict_.has_errors();
  };
  constexpr std::string_view kLoading = "loading and validating the module";
  if (phase("the suppressions", &Preparation::read_suppressions) &&
      phase(kLoading, &Preparation::load) && phase(kLoading, &Preparation::check_purpose) &&
      phase(kLoading, &Preparation::validate) &&
      phase("what is asked for", &Preparation::check_plan) &&
      phase("the device's threads", &Preparation::make_device) &&
      phase("the queues", &Preparation::make_queues))
    return Machine{*programs_, *device_, std::move(queues_), settings_, results_};
  return {};
}

}  // namespace

std::optional<Machine> prepare_machine(const LaunchPlan& plan, const RunOverrides& overrides,
                                       const AskedSettings& settings, const RunClock& clock,
                                       Verdict& verdict, RunReport& report) {
  return Preparation(plan, overrides, settings, clock, verdict, report).prepare();
}

}  // namespace transpire::launch
