// Makes plans from the flags of `transpire run`, and changes the plan of a launch file by flags.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {

bool describes_launch(const LaunchFlags& flags) {
  return !flags.kernel.empty() || !flags.global.empty() || !flags.local.empty() ||
         !flags.offset.empty() || !flags.arguments.empty() || !flags.buffers.empty() ||
         !flags.queues.empty() || !flags.default_queue.empty() || !flags.specialisation.empty() ||
         !flags.build_options.empty() || !flags.repeat.empty() || !flags.swaps.empty();
}

namespace {

/// Feeds flags to a builder and collects the errors, whose place is the flag.
class FlagReader {
 public:
  explicit FlagReader(PlanBuilder& builder) : builder_(builder) {}

  template <class Call>
  void one(std::string_view flag, std::string_view text, Call call) {
    if (!text.empty()) each(flag, {std::string(text)}, call);
  }

  template <class Call>
  void assign(std::string_view flag, const std::vector<std::string>& texts, Call call) {
    for (const std::string& text : texts) {
      std::string_view left;
      std::string_view right;
      const bool is_pair = split_at_equals(text, left, right);
      const SourceLine place = place_of_flag(flag, text);
      builder_.set_place(place);
      note(place, is_pair
                      ? (builder_.*call)(left, right)
                      : command_error(kBadCommandLine, "'=' is missing between name and value"));
    }
  }

  template <class Call>
  void each(std::string_view flag, const std::vector<std::string>& texts, Call call) {
    for (const std::string& text : texts) {
      const SourceLine place = place_of_flag(flag, text);
      builder_.set_place(place);
      note(place, (builder_.*call)(text));
    }
  }

  void note(const SourceLine& place, const Status& status) {
    builder_.set_place({});
    if (status) return;
    for (Diagnostic& error : placed(status.errors(), place)) errors_.push_back(std::move(error));
  }

  Status result() const {
    if (!errors_.empty()) return errors_;
    return Unit{};
  }

 private:
  PlanBuilder& builder_;
  Diagnostics errors_;
};

void read_checks(FlagReader& reader, const LaunchFlags& flags) {
  reader.each("--print", flags.prints, &PlanBuilder::print);
  reader.assign("--out", flags.outputs, &PlanBuilder::output);
  reader.each("--show", flags.shown, &PlanBuilder::show);
  reader.each("--expect", flags.expectations, &PlanBuilder::expect);
}

}  // namespace

Result<LaunchPlan> plan_from_flags(const LaunchFlags& flags) {
  PlanBuilder builder("");
  for (const std::string& path : flags.modules) builder.use_module(path);
  FlagReader reader(builder);
  reader.each("--build-options", flags.build_options, &PlanBuilder::options);
  reader.one("-k", flags.kernel, &PlanBuilder::kernel);
  reader.one("-g", flags.global, &PlanBuilder::global);
  reader.one("-l", flags.local, &PlanBuilder::local);
  reader.one("--offset", flags.offset, &PlanBuilder::offset);
  reader.one("--repeat", flags.repeat, &PlanBuilder::repeat);
  reader.assign("--spec", flags.specialisation, &PlanBuilder::specialise);
  reader.assign("--buffer", flags.buffers, &PlanBuilder::buffer);
  for (const std::string& queue : flags.queues) {
    std::string words = queue;
    std::ranges::replace(words, '=', ' ');
    const SourceLine place = place_of_flag("--queue", queue);
    builder.set_place(place);
    reader.note(place, builder.queue(words));
  }
  reader.one("--default-queue", flags.default_queue, &PlanBuilder::default_queue);
  reader.assign("-a", flags.arguments, &PlanBuilder::argument);
  for (const std::string& pair : flags.swaps) {
    const std::size_t comma = pair.find(',');
    if (comma == std::string::npos)
      reader.note(place_of_flag("--swap", pair),
                  command_error(kBadCommandLine, "two arguments are expected, as in 'a,b'"));
    else
      builder.swap(pair.substr(0, comma), pair.substr(comma + 1));
  }
  read_checks(reader, flags);
  if (const Status read = reader.result(); !read) return read.errors();
  return builder.finish();
}

namespace {

/// Appends the prints, outputs and expectations of another plan.
void take_checks(LaunchPlan& plan, LaunchPlan extra) {
  for (Step& step : extra.steps)
    if (!std::holds_alternative<LaunchStep>(step)) plan.steps.push_back(std::move(step));
  for (auto& fault : extra.expected_faults) plan.expected_faults.push_back(std::move(fault));
  if (extra.no_faults) plan.no_faults = extra.no_faults;
  for (auto& refusal : extra.expected_refusals)
    plan.expected_refusals.push_back(std::move(refusal));
}

/// The launch that flags describe; PlanBuilder::finish() always makes one.
const LaunchStep& launch_in(const LaunchPlan& plan) {
  return std::get<LaunchStep>(
      *std::find_if(plan.steps.begin(), plan.steps.end(),
                    [](const Step& step) { return std::holds_alternative<LaunchStep>(step); }));
}

/// Fails if the plan launches several kernels: one name cannot replace them.
Status check_one_kernel(const LaunchPlan& plan, const std::string& kernel) {
  std::set<std::string> kernels;
  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step)) kernels.insert(launch->kernel);
  if (kernels.size() < 2) return Unit{};
  return command_error(kBadCommandLine,
                       fmt::format("'-k {}' cannot stand for the {} kernels that '{}' launches",
                                   kernel, kernels.size(), plan.input),
                       fmt::format("they are {}", listed({kernels.begin(), kernels.end()})));
}

void override_launch(LaunchStep& launch, const LaunchStep& given, const LaunchFlags& flags) {
  if (!flags.kernel.empty()) {
    launch.kernel = given.kernel;
    launch.where = given.where;
  }
  if (!flags.global.empty()) launch.global = given.global;
  if (!flags.local.empty()) launch.local = given.local;
  if (!flags.offset.empty()) launch.offset = given.offset;
  if (!flags.repeat.empty()) launch.repeat = given.repeat;
  if (flags.swaps.empty()) return;
  launch.swaps = given.swaps;
  launch.repeat_where = given.repeat_where;
}

/// Replaces the buffer of that name, or adds it.
Status override_buffer(LaunchPlan& plan, BufferSpec given) {
  const auto old = std::find_if(plan.buffers.begin(), plan.buffers.end(),
                                [&](const BufferSpec& b) { return b.name == given.name; });
  if (old == plan.buffers.end()) {
    plan.buffers.push_back(std::move(given));
    return Unit{};
  }
  if (old->kind == BufferSpec::Kind::kShared || old->kind == BufferSpec::Kind::kVariable)
    return command_error(
        kBadCommandLine,
        fmt::format("'--buffer {}' cannot replace a {}", given.name,
                    old->kind == BufferSpec::Kind::kShared ? "range of shared memory"
                                                           : "program-scope variable"));
  *old = std::move(given);
  return Unit{};
}

void override_queue(LaunchPlan& plan, QueueSpec given) {
  const auto old = std::ranges::find(plan.queues, given.name, &QueueSpec::name);
  if (old == plan.queues.end())
    plan.queues.push_back(std::move(given));
  else
    *old = std::move(given);
}

}  // namespace

Status override_plan(LaunchPlan& plan, const LaunchFlags& flags) {
  LaunchFlags without_files = flags;
  without_files.modules.clear();
  auto given = plan_from_flags(without_files);
  if (!given) return given.errors();
  if (!flags.kernel.empty())
    if (Status one = check_one_kernel(plan, flags.kernel); !one) return one;
  const LaunchStep& launch = launch_in(*given);
  for (Step& step : plan.steps)
    if (auto* mine = std::get_if<LaunchStep>(&step)) override_launch(*mine, launch, flags);
  plan.overriding = launch.arguments;
  for (BufferSpec& buffer : given->buffers)
    if (Status done = override_buffer(plan, std::move(buffer)); !done) return done;
  for (QueueSpec& queue : given->queues) override_queue(plan, std::move(queue));
  if (given->default_queue) plan.default_queue = std::move(given->default_queue);
  // The first value of a constant counts.
  for (SpecialisationSpec& spec : given->specialisation) spec.overriding = true;
  plan.specialisation.insert(plan.specialisation.begin(), given->specialisation.begin(),
                             given->specialisation.end());
  for (std::string& word : given->build_options) plan.build_options.push_back(std::move(word));
  take_checks(plan, std::move(given).value());
  return Unit{};
}

Status add_checks(LaunchPlan& plan, const LaunchFlags& flags) {
  PlanBuilder builder("");
  FlagReader reader(builder);
  read_checks(reader, flags);
  if (Status read = reader.result(); !read) return read;
  auto extra = builder.finish();
  if (!extra) return extra.errors();
  take_checks(plan, std::move(extra).value());
  return Unit{};
}

}  // namespace transpire::launch
