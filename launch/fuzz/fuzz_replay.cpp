// Writes a launch file that repeats one order of a plan: see launch/fuzz/fuzz.h.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "launch/fuzz/fuzz.h"
#include "launch/language/launch_writer.h"
#include "launch/language/parameters.h"
#include "launch/language/statements.h"
#include "launch/report/diagnose.h"
#include "launch/report/rule_words.h"
#include "launch/runner/pipe_maker.h"

namespace transpire::launch {
namespace {

constexpr std::string_view kStandardInput = "-";

std::string whole_path(const std::string& path) {
  if (path.empty() || path == kStandardInput) return path;
  return std::filesystem::absolute(path).lexically_normal().string();
}

ValueSpec with_whole_path(ValueSpec value) {
  value.file = whole_path(value.file);
  return value;
}

/// Literals of an element: a number, or those of a vector. Empty for other types, elements with padding, and NaN.
std::vector<Literal> numbers_of(const TypeInfo& type, std::span<const std::byte> bytes) {
  if (type.kind != TypeInfo::Kind::kVector && !scalar_of(type)) return {};
  std::uint64_t end = 0;
  for (const Leaf& leaf : leaves_of(type)) {
    const std::uint64_t size = size_bytes(leaf.type);
    if (leaf.offset_bytes != end) return {};
    if (is_nan(load_bits(bytes.subspan(end, size), leaf.type), leaf.type)) return {};
    end += size;
  }
  if (end != bytes.size()) return {};
  auto literals = parse_literals(format_value(type, bytes));
  return literals ? std::move(literals).value() : std::vector<Literal>();
}

/// Makes the folders of headers absolute.
void make_folders_whole(std::vector<std::string>& options) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i] == "-I" && i + 1 < options.size())
      options[i + 1] = whole_path(options[i + 1]);
    else if (options[i].starts_with("-I") && options[i].size() > 2)
      options[i] = "-I" + whole_path(options[i].substr(2));
  }
}

/// The suppressions of the plan and of the command line, each file once.
std::vector<NamedSuppression> suppressions_of(const LaunchPlan& plan, const Replay& replay) {
  std::vector<NamedSuppression> all;
  const auto add = [&](std::string what) {
    if (std::ranges::find(all, what, &NamedSuppression::what) == all.end())
      all.push_back({std::move(what), {}});
  };
  for (const NamedSuppression& named : plan.suppressions) {
    const bool is_rule = find_rule(full_rule_id(named.what)) != nullptr;
    add(is_rule ? named.what : whole_path(named.what));
  }
  for (const Suppression& entry : replay.suppressions)
    add(entry.where.known() ? whole_path(entry.where.file) : entry.rule);
  return all;
}

/// Specialisation constants. Values of the command line override the plan's.
std::vector<SpecialisationSpec> constants_of(const LaunchPlan& plan) {
  std::vector<SpecialisationSpec> constants;
  std::set<std::string> given;
  for (const bool overriding : {true, false})
    for (const SpecialisationSpec& constant : plan.specialisation)
      if (constant.overriding == overriding && (overriding || !given.contains(constant.target))) {
        given.insert(constant.target);
        constants.push_back(constant);
        constants.back().value = with_whole_path(constant.value);
      }
  return constants;
}

/// The plan as a launch file in another folder may give it. Fails with C0022 for a module of standard input.
Result<LaunchPlan> movable(LaunchPlan plan, const Replay& replay) {
  if (!plan.module_text.empty() || !plan.programs.empty())
    return command_error(kBadValue, "a launch file has no words for the shaders of a script");
  for (std::string& path : plan.modules) {
    if (path == kStandardInput)
      return command_error(kBadValue, "a launch file cannot name a module of standard input",
                           "keep the module in a file");
    path = whole_path(path);
  }
  make_folders_whole(plan.build_options);
  plan.suppressions = suppressions_of(plan, replay);
  plan.specialisation = constants_of(plan);
  for (BufferSpec& memory : plan.buffers) memory.value = with_whole_path(memory.value);
  return plan;
}

/// Writes a plan as a launch file. As in the runner, a launch binds only the arguments that are new to it.
class ReplayWriter {
 public:
  ReplayWriter(const LaunchPlan& plan, const ModuleInfo& module) : plan_(plan), module_(module) {}

  Status write(const Replay& replay);
  const std::string& text() const { return out_.text(); }

 private:
  void write_settings(const Replay& replay);
  void write_limits(const AskedSettings& settings);
  Status write_launch(const LaunchStep& step);
  Result<std::vector<ArgumentSpec>> arguments_of(const LaunchStep& step, const KernelInfo& kernel,
                                                 bool is_first);
  void write_expectation(const OrderDifference& difference, const BufferReport& expected);

  const LaunchPlan& plan_;
  const ModuleInfo& module_;
  LaunchWriter out_;
  const KernelInfo* kernel_ = nullptr;
  std::uint32_t serial_ = 0;
  bool has_offset_ = false;
};

Status ReplayWriter::write(const Replay& replay) {
  out_.comment(fmt::format("Replays an order of work-items: {}.", replay.order.words()));
  for (const Statement& statement : statements())
    if (statement.write != nullptr)
      if (const Status done = statement.write(out_, plan_); !done) return done;
  write_settings(replay);
  for (const Step& step : plan_.steps)
    if (const auto* const launch = std::get_if<LaunchStep>(&step))
      if (const Status done = write_launch(*launch); !done) return done;
  for (const ExpectedFault& fault : plan_.expected_faults) out_.expect(fault);
  if (replay.difference != nullptr && replay.expected != nullptr)
    write_expectation(*replay.difference, *replay.expected);
  return Unit{};
}

void ReplayWriter::write_settings(const Replay& replay) {
  LaunchSettings settings;
  replay.settings.apply_to(settings);
  settings.schedule = replay.order.schedule;
  settings.seed = replay.order.seed;
  if (replay.settings.environment) {
    out_.setting(fmt::format("env {}", *replay.settings.environment));
    if (!replay.settings.opencl_version) settings.opencl_version = LaunchSettings{}.opencl_version;
  }
  for (const std::string& statement : statements_of(settings)) out_.setting(statement);
  // `transpire test` poisons memory unless a statement says otherwise.
  if (replay.settings.poison == false) out_.setting("poison off");
  write_limits(replay.settings);
}

void ReplayWriter::write_limits(const AskedSettings& settings) {
  for (const std::string& statement : limit_statements_of(settings)) out_.setting(statement);
  if (settings.shared_base) out_.setting(fmt::format("shared-base {:#x}", *settings.shared_base));
}

Result<std::vector<ArgumentSpec>> ReplayWriter::arguments_of(const LaunchStep& step,
                                                             const KernelInfo& kernel,
                                                             bool is_first) {
  std::vector<ArgumentSpec> arguments;
  for (const ArgumentSpec* spec : new_arguments(plan_, step, kernel, is_first, serial_))
    arguments.push_back(*spec);
  for (ArgumentSpec& argument : arguments) {
    if (argument.kind == ArgumentSpec::Kind::kSim)
      return command_error(kBadValue,
                           "a launch file has no words for the arguments of an Oclgrind .sim file",
                           "'transpire info --template' writes a launch file to start from");
    argument.value = with_whole_path(argument.value);
  }
  return arguments;
}

Status ReplayWriter::write_launch(const LaunchStep& step) {
  const auto kernel = find_kernel(module_, step.kernel);
  if (!kernel) return kernel.errors();
  const bool is_first = kernel_ != *kernel;
  kernel_ = *kernel;
  auto arguments = arguments_of(step, *kernel_, is_first);
  if (!arguments) return arguments.errors();
  LaunchStep mine = step;
  mine.kernel = is_first ? kernel_->name : "";
  if (step.offset.dimensions == 0 && has_offset_)
    mine.offset = SizeList{{}, std::max(step.global.dimensions, step.groups.dimensions), {}};
  has_offset_ = step.offset.dimensions != 0;
  mine.arguments = std::move(arguments).value();
  for (const Statement& statement : statements())
    if (statement.write_launch != nullptr) statement.write_launch(out_, mine);
  out_.launch();
  return Unit{};
}

void ReplayWriter::write_expectation(const OrderDifference& difference,
                                     const BufferReport& expected) {
  const Mismatch& first = difference.first;
  out_.comment(fmt::format("'{}' is {} by --schedule=serial, {} here.", first.place, first.expected,
                           first.found));
  const std::uint64_t stride = stride_bytes(expected.type);
  if (difference.is_of_packets) {
    ValueSpec count;
    count.literals.push_back({fmt::to_string(expected.bytes.size() / stride), {}, false});
    return out_.expect_value(expected.name + std::string(kPacketsOf), count);
  }
  const std::uint64_t begin = difference.offset_bytes / stride * stride;
  const auto bytes = std::span(expected.bytes).subspan(begin, stride);
  ValueSpec value;
  value.literals = numbers_of(expected.type, bytes);
  if (value.literals.empty()) value = raw_bytes(bytes);
  out_.expect_value(fmt::format("{}[{}]", expected.name, begin / stride), value);
}

}  // namespace

Result<std::string> replay_of(const LaunchPlan& plan, const Module& module, const Replay& replay) {
  const auto moved = movable(plan, replay);
  if (!moved) return moved.errors();
  ReplayWriter writer(*moved, module.info());
  if (const Status done = writer.write(replay); !done) return done.errors();
  return writer.text();
}

}  // namespace transpire::launch
