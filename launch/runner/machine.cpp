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
        clock_(clock),
        verdict_(verdict),
        report_(report) {}

  std::optional<Machine> prepare();

 private:
  // False: the run ends here, with errors in the verdict.
  bool read_suppressions();
  bool load();
  bool judge_warnings();
  bool validate();
  bool check_plan();
  bool make_device();
  bool make_queues();
  std::vector<std::string> launched_kernels() const;
  Status check_purpose() const;

  const LaunchPlan& plan_;
  const RunOverrides& overrides_;
  AskedSettings settings_;
  const RunClock& clock_;
  Verdict& verdict_;
  RunReport& report_;
  std::optional<Module> module_;
  std::optional<Device> device_;
  std::optional<ResultLog> results_;
  KnownQueues queues_;
};

bool Preparation::load() {
  if (overrides_.begins) overrides_.begins("loading and validating the module");
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

bool Preparation::read_suppressions() {
  const std::uint64_t max_bytes = settings_.max_memory_bytes.value_or(Limits{}.max_memory_bytes);
  return verdict_.read_suppressions(text_limit(clock_.limit().time, max_bytes));
}

bool Preparation::judge_warnings() {
  for (const Diagnostic& warning : module_->compiler_warnings())
    if (!verdict_.suppress(warning)) verdict_.warn(warning);
  return !verdict_.has_errors();
}

/// Kernels of the plan's launches, and initializers and finalizers. Empty if a kernel is not known.
std::vector<std::string> Preparation::launched_kernels() const {
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
Status Preparation::check_purpose() const {
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

bool Preparation::validate() {
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

bool Preparation::make_device() {
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

bool Preparation::check_plan() {
  const Diagnostics launches = launch_errors(plan_, module_->info());
  verdict_.refuse(launches);
  // Other names may be arguments of the unknown kernel.
  if (std::ranges::find(launches, kNoSuchKernel, &Diagnostic::rule) != launches.end()) return false;
  const Diagnostics names = name_errors(plan_, module_->info(), overrides_.difference_folder);
  verdict_.refuse_names(names);
  if (names.empty())
    for (Diagnostic& warning : file_warnings(plan_)) verdict_.warn(std::move(warning));
  return !verdict_.has_errors();
}

bool Preparation::make_queues() {
  auto queues = queues_of(plan_);
  if (!queues) {
    verdict_.refuse(located(queues.errors(), {}, plan_.input));
    return false;
  }
  queues_ = std::move(queues).value();
  return true;
}

std::optional<Machine> Preparation::prepare() {
  const auto phase = [this](std::string_view what, bool (Preparation::*part)()) {
    bool good = true;
    const Status made = within_memory(what, [&]() -> Status {
      good = (this->*part)();
      return Unit{};
    });
    if (!made) verdict_.refuse(made.errors());
    return made && good;
  };
  const bool ready = phase("the suppressions", &Preparation::read_suppressions) &&
                     phase("loading and validating the module", &Preparation::load) &&
                     phase("what is asked for", &Preparation::check_plan) &&
                     phase("the device's threads", &Preparation::make_device) &&
                     phase("the queues", &Preparation::make_queues);
  if (!ready) return {};
  return Machine{*std::move(module_), *std::move(device_), std::move(queues_), settings_, results_};
}

}  // namespace

std::optional<Machine> prepare_machine(const LaunchPlan& plan, const RunOverrides& overrides,
                                       const AskedSettings& settings, const RunClock& clock,
                                       Verdict& verdict, RunReport& report) {
  return Preparation(plan, overrides, settings, clock, verdict, report).prepare();
}

}  // namespace transpire::launch
