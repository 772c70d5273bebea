// Checks names, files and rules of a plan: see launch/runner/plan_check.h.
#include "launch/runner/plan_check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "launch/language/grammar.h"
#include "launch/language/parameters.h"
#include "launch/pictures/image.h"
#include "launch/report/diagnose.h"
#include "launch/report/rule_words.h"
#include "launch/report/text.h"
#include "launch/runner/difference_pictures.h"
#include "launch/runner/mistaken_file.h"
#include "launch/runner/pipe_maker.h"

namespace transpire::launch {
namespace {

bool is_index(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

/// Reason why the file cannot be written; empty if it probably can.
std::string why_unwritable(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) return "it is a folder";
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    return fmt::format("there is no folder '{}'", folder.string());
  const bool there = std::filesystem::exists(file, ignored);
  const std::string asked = there ? file : folder.empty() ? "." : folder.string();
  return access(asked.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
}

/// Finds names in prints, outputs and expectations that no buffer has after all launches.
class NameCheck {
 public:
  NameCheck(const LaunchPlan& plan, const ProgramInfos& programs) {
    for (const BufferSpec& buffer : plan.buffers) {
      names_.insert(buffer.name);
      if (buffer.kind == BufferSpec::Kind::kPipe)
        names_.insert(buffer.name + std::string(kPacketsOf));
    }
    for (const VariableInfo& variable : programs[0]->variables) names_.insert(variable.name);
    for (const Step& step : plan.steps)
      if (const auto* launch = std::get_if<LaunchStep>(&step))
        add(*launch, *programs[launch->program]);
  }

  void look_at(const BufferSlice& slice, const SourceLine& where) {
    const auto element = slice_as_name(slice);
    if (!element || !is_known(element->name)) look_at(slice.name, where);
  }

  void look_at(const std::string& name, const SourceLine& where) {
    if (is_index(without_packets(name)) || is_known(name)) return;
    note(command_error(kNoSuchBuffer, fmt::format("there is no buffer '{}'", name),
                       suggestion(name, {names_.begin(), names_.end()}, "buffers")),
         where);
  }

  void look_at_rule(const std::string& rule, const SourceLine& where) {
    if (find_rule(rule) != nullptr) return;
    note(no_such_rule(rule), where);
  }

  void look_at_file(const OutputStep& output) {
    const auto form = file_form(output.file);
    if (output.is_shown && (!form || *form != FileForm::kPng))
      return note(
          command_error(
              kFileUnwritable,
              fmt::format("cannot write '{}': what is shown is a '.png' file", output.file),
              fmt::format("write '--show {}=FILE.png'; '--out' writes other files", output.buffer)),
          output.where);
    if (!form) return note(form.errors()[0], output.where);
    if (*form == FileForm::kRaw && output.columns)
      return note(
          command_error(kFileUnwritable,
                        fmt::format("cannot write '{}': raw bytes have no columns", output.file),
                        "'.npy', '.pgm', '.png' and '.pfm' files have"),
          output.where);
    if (output.file == "-") return;
    if (const std::string why = why_unwritable(output.file); !why.empty())
      note(command_error(kFileUnwritable, fmt::format("cannot write '{}': {}", output.file, why),
                         "nothing else is made than the file: its folder must be there, and may be "
                         "written to"),
           output.where);
  }

  /// Checks an argument of the command line. Each launch takes it if its kernel has the parameter.
  void look_at_argument(const ArgumentSpec& spec) {
    Diagnostics why;
    bool known = false;
    for (const KernelInfo* kernel : kernels_) {
      const auto found = find_place(*kernel, spec);
      if (!found) {
        if (why.empty()) why = found.errors();
        continue;
      }
      known = true;
      // A name and an index may mean the same parameter.
      if (!found->part.empty() ||
          overriding_.try_emplace({kernel, found->parameter}, &spec).first->second == &spec)
        continue;
      why = Diagnostics{command_error(
          kBadArgument,
          fmt::format("argument '{}' is given twice", kernel->parameters[found->parameter].name))};
      known = false;
      break;
    }
    if (known) return;
    for (Diagnostic& each : why) {
      each.input = "command line";
      each.notes.push_back(spec.where.file);
      errors.push_back(std::move(each));
    }
  }

  Diagnostics errors;

 private:
  void note(const Diagnostic& error, const SourceLine& where) {
    for (Diagnostic& each : placed({error}, where)) errors.push_back(std::move(each));
  }

  /// True for a name, and for a part of a shader's resource: `params.scale`.
  bool is_known(const std::string& name) const {
    if (names_.contains(name)) return true;
    for (std::size_t end = name.size(); end != name.npos && end != 0;
         end = name.rfind('.', end - 1))
      if (resources_.contains(name.substr(0, end))) return true;
    return false;
  }

  void add(const LaunchStep& launch, const ModuleInfo& module) {
    for (const KernelInfo& kernel : module.kernels)
      if (launch.kernel.empty() || kernel.name == launch.kernel) {
        kernels_.push_back(&kernel);
        for (const ParameterInfo& parameter : kernel.parameters) {
          if (parameter.type.kind == TypeInfo::Kind::kPointer || parameter.image || parameter.pipe)
            names_.insert(parameter.name);
          if (parameter.binding)
            resources_.insert(
                {parameter.name, binding_text(*parameter.binding) + parameter.binding_part});
          if (parameter.pipe) names_.insert(parameter.name + std::string(kPacketsOf));
        }
      }
  }

  std::set<std::string> names_;
  std::set<std::string> resources_;         ///< names and SET.BINDING of a shader's resources
  std::vector<const KernelInfo*> kernels_;  ///< kernels of the plan's launches
  /// Arguments of the command line by kernel and parameter.
  std::map<std::pair<const KernelInfo*, std::size_t>, const ArgumentSpec*> overriding_;
};

Status can_be_swapped(const KernelInfo& kernel, const std::string& name) {
  const auto index = find_parameter(kernel, name);
  if (!index) return index.errors();
  const ParameterInfo& parameter = kernel.parameters[*index];
  if (kind_of(parameter) == ParameterKind::kBuffer) return Unit{};
  return command_error(kBadArgument, fmt::format("argument '{}' is no buffer and cannot be swapped",
                                                 parameter.name));
}

}  // namespace

Diagnostics launch_errors(const LaunchPlan& plan, const ProgramInfos& programs) {
  Diagnostics errors;
  const auto note = [&](const Diagnostics& more, const SourceLine& where) {
    for (Diagnostic& each : located(more, where, plan.input)) errors.push_back(std::move(each));
  };
  for (const Step& step : plan.steps) {
    const auto* const launch = std::get_if<LaunchStep>(&step);
    if (launch == nullptr) continue;
    const auto kernel = find_kernel(*programs[launch->program], launch->kernel);
    if (!kernel) {
      note(kernel.errors(), launch->where);
      continue;
    }
    for (const auto& [a, b] : launch->swaps)
      for (const std::string& name : {a, b})
        if (const Status can = can_be_swapped(**kernel, name); !can)
          note(can.errors(), launch->repeat_where);
  }
  return errors;
}

Diagnostics name_errors(const LaunchPlan& plan, const ProgramInfos& programs,
                        const std::string& folder) {
  NameCheck check(plan, programs);
  for (const Step& step : plan.steps) {
    if (const auto* print = std::get_if<PrintStep>(&step)) {
      check.look_at(print->slice, print->where);
    } else if (const auto* expect = std::get_if<ExpectBufferStep>(&step)) {
      check.look_at(expect->slice, expect->where);
      if (!expect->other.empty()) check.look_at(expect->other, expect->where);
    } else if (const auto* output = std::get_if<OutputStep>(&step)) {
      check.look_at(output->buffer, output->where);
      check.look_at_file(*output);
    }
  }
  for (const ArgumentSpec& spec : plan.overriding) check.look_at_argument(spec);
  for (const ExpectedFault& fault : plan.expected_faults)
    check.look_at_rule(fault.rule, fault.where);
  for (const ExpectedRefusal& refusal : plan.expected_refusals)
    check.look_at_rule(refusal.rule, refusal.where);
  if (!folder.empty())
    if (const Status fine = DifferencePictures::check_folder(folder); !fine)
      check.errors.push_back(placed(fine.errors(), place_of_flag("--difference", folder))[0]);
  return std::move(check.errors);
}

Diagnostics file_warnings(const LaunchPlan& plan) {
  Diagnostics warnings;
  std::set<std::string> seen;
  const auto look = [&](const ValueSpec& value, const SourceLine& where) {
    if (value.file.empty() || !seen.insert(value.file).second) return;
    if (auto warning = mistaken_file(value))
      warnings.push_back(placed({std::move(*warning)}, where)[0]);
  };
  for (const BufferSpec& buffer : plan.buffers) look(buffer.value, buffer.where);
  for (const ArgumentSpec& argument : plan.overriding) look(argument.value, argument.where);
  for (const Step& step : plan.steps) {
    if (const auto* const launch = std::get_if<LaunchStep>(&step))
      for (const ArgumentSpec& argument : launch->arguments) look(argument.value, argument.where);
    if (const auto* const expect = std::get_if<ExpectBufferStep>(&step))
      look(expect->value, expect->where);
  }
  return warnings;
}

}  // namespace transpire::launch
