// Statements of the launch language: see the header.
#include "launch/language/plan_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "launch/language/asked_settings.h"
#include "launch/report/diagnose.h"
#include "launch/report/rule_words.h"
#include "transpire/launch_rules.hpp"

namespace transpire::launch {
namespace {

std::string directory_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string::npos) return {};
  return slash == 0 ? "/" : file.substr(0, slash);
}

Diagnostic syntax_error(const std::string& message, std::string help = {}) {
  return command_error(kBadLaunchFile, message, std::move(help));
}

/// Fails if the host cannot give this value to memory of that kind.
Status check_contents(const BufferSpec& spec) {
  const bool is_shared = spec.kind == BufferSpec::Kind::kShared;
  if (!is_shared && spec.kind != BufferSpec::Kind::kVariable) return Unit{};
  if (spec.value.read_only || spec.value.write_only)
    return command_error(kBadValue,
                         fmt::format("{} can be read and written",
                                     is_shared ? "shared memory" : "a program-scope variable"));
  if (!is_shared && !spec.value.undefined.empty())
    return command_error(kBadValue, "a program-scope variable is defined from the beginning");
  return Unit{};
}

}  // namespace

PlanBuilder::PlanBuilder(const std::string& file) {
  plan_.input = file;
  directory_ = directory_of(file);
  where_.file = file;
}

std::string PlanBuilder::path_of(std::string_view path) const {
  return resolved_path(directory_, std::string(path));
}

ValueSpec PlanBuilder::located(ValueSpec value) const {
  if (!value.file.empty()) value.file = path_of(value.file);
  return value;
}

Status PlanBuilder::module(std::string_view path) {
  if (path.empty()) return syntax_error("the name of the module's file is missing");
  plan_.modules.push_back(path_of(path));
  return Unit{};
}

std::size_t PlanBuilder::add_program(ProgramSpec program, std::string_view path) {
  program.modules = {program.text.empty() ? path_of(path) : plan_.input};
  if (!plan_.modules.empty()) {
    plan_.programs.push_back(std::move(program));
    return plan_.programs.size();
  }
  plan_.modules = std::move(program.modules);
  plan_.module_text = std::move(program.text);
  plan_.module_options = std::move(program.options);
  plan_.specialisation = std::move(program.specialisation);
  return 0;
}

BufferSpec* PlanBuilder::declared(std::string_view name) {
  const auto found = std::ranges::find(plan_.buffers, name, &BufferSpec::name);
  return found == plan_.buffers.end() ? nullptr : &*found;
}

Status PlanBuilder::dispatch(std::size_t program, const std::string& kernel,
                             const std::vector<ArgumentSpec>& arguments,
                             const std::array<std::uint64_t, 3>& groups,
                             const std::optional<std::array<std::uint64_t, 3>>& local) {
  if (next_.program != program) next_.arguments.clear();
  next_.program = program;
  if (Status done = this->kernel(kernel); !done) return done;
  for (const ArgumentSpec& each : arguments)
    if (Status done = argument(each); !done) return done;
  SizeList sizes{groups, 3, where_};
  while (!local && sizes.dimensions > 1 && groups[sizes.dimensions - 1] == 1) --sizes.dimensions;
  set(&LaunchStep::groups, sizes);
  set(&LaunchStep::local, local ? SizeList{*local, 3, where_} : SizeList{});
  launch();
  return Unit{};
}

Status PlanBuilder::suppress(std::string what) {
  if (what.empty())
    return syntax_error("the name of the file of suppressions is missing",
                        "write 'suppress known.supp', or 'suppress TSP-R0060'");
  if (find_rule(full_rule_id(what)) == nullptr) what = path_of(what);
  plan_.suppressions.push_back({std::move(what), where_});
  return Unit{};
}

Status PlanBuilder::specialise(std::string target, ValueSpec value) {
  if (target.empty()) return syntax_error("the SpecId or name of the constant is missing");
  const bool single =
      (value.maker == ValueSpec::Maker::kLiterals || value.maker == ValueSpec::Maker::kHex) &&
      value.literals.size() == 1 && !value.literals[0].is_list;
  if (!single)
    return syntax_error("a specialisation constant takes one number", "write 'spec 3 = uint:7'");
  plan_.specialisation.push_back({std::move(target), std::move(value), where_});
  return Unit{};
}

Status PlanBuilder::declare(BufferSpec spec) {
  if (spec.name.empty())
    return syntax_error(
        fmt::format("the name of the {} is missing",
                    spec.kind == BufferSpec::Kind::kVariable ? "variable" : "buffer"));
  if (const Status checked = check_contents(spec); !checked) return checked;
  for (const BufferSpec& other : plan_.buffers)
    if (other.name == spec.name)
      return syntax_error(fmt::format("buffer '{}' is declared twice", spec.name));
  spec.value = located(std::move(spec.value));
  spec.where = where_;
  plan_.buffers.push_back(std::move(spec));
  return Unit{};
}

Status PlanBuilder::queue(QueueSpec queue) {
  if (std::ranges::find(plan_.queues, queue.name, &QueueSpec::name) != plan_.queues.end())
    return syntax_error(fmt::format("queue '{}' is declared twice", queue.name));
  if (const auto refused = refusal_of_queue_count(plan_.queues.size() + 1))
    return command_error(kBadValue, refused->message);
  queue.where = where_;
  plan_.queues.push_back(std::move(queue));
  return Unit{};
}

Status PlanBuilder::default_queue(std::string name) {
  if (name.empty() || name.find_first_of(" \t") != name.npos)
    return syntax_error("'default-queue' takes the name of a queue, or 'none'");
  plan_.default_queue = {std::move(name), where_};
  return Unit{};
}

Status PlanBuilder::kernel(std::string name) {
  if (name.empty()) return syntax_error("the name of the kernel is missing");
  const bool launched = std::any_of(plan_.steps.begin(), plan_.steps.end(), [](const Step& step) {
    return std::holds_alternative<LaunchStep>(step);
  });
  if (!launched && !next_.kernel.empty() && next_.kernel != name)
    return syntax_error(fmt::format("kernel '{}' was not launched before kernel '{}' was chosen",
                                    next_.kernel, name),
                        "write 'launch' between them");
  if (launched && next_.kernel != name) next_.arguments.clear();
  next_.kernel = std::move(name);
  next_.where = where_;
  changed();
  return Unit{};
}

Status PlanBuilder::argument(ArgumentSpec argument) {
  if (argument.target.empty())
    return syntax_error("an argument needs a name or an index before '='");
  argument.value = located(std::move(argument.value));
  argument.where = where_;
  argument.serial = ++serial_;
  const auto old =
      std::find_if(next_.arguments.begin(), next_.arguments.end(), [&](const ArgumentSpec& a) {
        return a.target == argument.target && a.form == argument.form;
      });
  if (old != next_.arguments.end()) {
    if (old->serial > launched_serial_)
      return command_error(kBadArgument,
                           fmt::format("argument '{}' is given twice", argument.target));
    next_.arguments.erase(old);
  }
  next_.arguments.push_back(std::move(argument));
  changed();
  return Unit{};
}

void PlanBuilder::repeat(std::uint64_t count) {
  next_.repeat = count;
  next_.repeat_where = where_;
  changed();
}

void PlanBuilder::swap(std::string a, std::string b) {
  next_.swaps.emplace_back(std::move(a), std::move(b));
  next_.repeat_where = where_;
  changed();
}

void PlanBuilder::run_pending() {
  plan_.steps.emplace_back(next_);
  for (Step& step : waiting_) plan_.steps.push_back(std::move(step));
  waiting_.clear();
  next_.repeat = 1;
  next_.swaps.clear();
  next_.where = {};
  launched_serial_ = serial_;
  dirty_ = false;
}

void PlanBuilder::launch() {
  next_.where = where_;
  run_pending();
}

void PlanBuilder::add_check(Step step) {
  (dirty_ ? waiting_ : plan_.steps).push_back(std::move(step));
}

void PlanBuilder::print(PrintStep print) {
  print.where = where_;
  add_check(std::move(print));
}

Status PlanBuilder::output(OutputStep output) {
  if (output.buffer.empty() || output.file.empty())
    return syntax_error("an output needs a buffer and a file", "write 'out y = result.bin'");
  output.file = path_of(output.file);
  output.where = where_;
  add_check(std::move(output));
  return Unit{};
}

void PlanBuilder::expect(Expectation expectation) {
  if (auto* const values = std::get_if<ExpectBufferStep>(&expectation)) {
    values->value = located(std::move(values->value));
    values->where = where_;
    add_check(std::move(*values));
  } else if (auto* const printed = std::get_if<ExpectPrintfStep>(&expectation)) {
    expect_printf(std::move(printed->text));
  } else if (auto* const fault = std::get_if<ExpectedFault>(&expectation)) {
    fault->where = where_;
    plan_.expected_faults.push_back(std::move(*fault));
  } else if (auto* const refusal = std::get_if<ExpectedRefusal>(&expectation)) {
    refusal->where = where_;
    plan_.expected_refusals.push_back(std::move(*refusal));
  } else {
    plan_.no_faults = where_;
  }
}

void PlanBuilder::expect_printf(std::string text) {
  // Several lines for the same launch form one text.
  std::vector<Step>& checks = dirty_ ? waiting_ : plan_.steps;
  for (auto step = checks.rbegin(); step != checks.rend(); ++step) {
    if (std::holds_alternative<LaunchStep>(*step)) break;
    if (auto* earlier = std::get_if<ExpectPrintfStep>(&*step)) {
      earlier->text += text;
      return;
    }
  }
  add_check(ExpectPrintfStep{std::move(text), where_});
}

Status PlanBuilder::setting(std::string_view name, std::string_view value) {
  if (std::ranges::find(setting_words(), name) != setting_words().end())
    return read_setting(plan_.settings, name, value);
  return run_setting(name, value);
}

/// Reads settings that are in no table: instruction set, threads and the address of shared memory.
Status PlanBuilder::run_setting(std::string_view name, std::string_view value) {
  AskedSettings& settings = plan_.settings;
  if (name == "isa") {
    if (const auto isas = known_isas(); std::ranges::find(isas, value) == isas.end())
      return syntax_error(fmt::format("there is no instruction set '{}'", value),
                          suggestion(value, isas, "instruction sets"));
    settings.isa = std::string(value);
  } else if (name == "shared-base") {
    const auto address = parse_count(value, "address");
    if (!address) return address.errors();
    settings.shared_base = *address;
  } else if (name == "threads") {
    const auto count = parse_count(value, "number of threads");
    if (!count) return count.errors();
    settings.threads = static_cast<unsigned>(std::min<std::uint64_t>(*count, 4096));
  } else {
    return syntax_error(fmt::format("there is no setting '{}'", name));
  }
  return Unit{};
}

Result<LaunchPlan> PlanBuilder::finish() {
  if (next_.where.line == 0) next_.where = where_;
  if (dirty_) run_pending();
  return std::move(plan_);
}

}  // namespace transpire::launch
