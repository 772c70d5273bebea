// What can be known of a run's prints, outputs and expectations before its first launch: names, files, rules.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "launch/diagnose.h"
#include "launch/rule_words.h"
#include "launch/runner.h"

namespace transpire::launch {
namespace {

bool is_index(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

/// Of no buffer that there may be once all has been launched.
class NameCheck {
 public:
  NameCheck(const LaunchPlan& plan, const ModuleInfo& module) {
    for (const BufferSpec& buffer : plan.buffers) names_.insert(buffer.name);
    for (const VariableInfo& variable : module.variables) names_.insert(variable.name);
    for (const Step& step : plan.steps)
      if (const auto* launch = std::get_if<LaunchStep>(&step)) add(*launch, module);
  }

  void look_at(const std::string& name, const SourceLine& where) {
    if (is_index(name) || names_.contains(name)) return;
    const Diagnostic error =
        command_error(kNoSuchBuffer, fmt::format("there is no buffer '{}'", name),
                      suggestion(name, {names_.begin(), names_.end()}, "buffers"));
    for (Diagnostic& each : placed({error}, where)) errors.push_back(std::move(each));
  }

  void look_at_rule(const std::string& rule, const SourceLine& where) {
    if (find_rule(rule) != nullptr) return;
    for (Diagnostic& each : placed({no_such_rule(rule)}, where)) errors.push_back(std::move(each));
  }

  void look_at_file(const std::string& file, const SourceLine& where) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return;
    const Diagnostic error = command_error(
        kFileUnwritable,
        fmt::format("cannot write '{}': there is no folder '{}'", file, folder.string()),
        "make the folder first: nothing else is made than the file");
    for (Diagnostic& each : placed({error}, where)) errors.push_back(std::move(each));
  }

  Diagnostics errors;

 private:
  void add(const LaunchStep& launch, const ModuleInfo& module) {
    for (const KernelInfo& kernel : module.kernels)
      if (launch.kernel.empty() || kernel.name == launch.kernel)
        for (const ParameterInfo& parameter : kernel.parameters)
          if (parameter.type.kind == TypeInfo::Kind::kPointer) names_.insert(parameter.name);
  }

  std::set<std::string> names_;
};

}  // namespace

bool Runner::check_names() {
  NameCheck check(plan_, module_->info());
  for (const Step& step : plan_.steps) {
    if (const auto* print = std::get_if<PrintStep>(&step)) {
      check.look_at(print->slice.name, print->where);
    } else if (const auto* expect = std::get_if<ExpectBufferStep>(&step)) {
      check.look_at(expect->slice.name, expect->where);
    } else if (const auto* output = std::get_if<OutputStep>(&step)) {
      check.look_at(output->buffer, output->where);
      check.look_at_file(output->file, output->where);
    }
  }
  for (const ExpectedFault& fault : plan_.expected_faults)
    check.look_at_rule(fault.rule, fault.where);
  for (const ExpectedRefusal& refusal : plan_.expected_refusals)
    check.look_at_rule(refusal.rule, refusal.where);
  refuse(check.errors);
  return check.errors.empty();
}

}  // namespace transpire::launch
