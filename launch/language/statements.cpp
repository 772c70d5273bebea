// The statements of the launch language: see the header.
#include "launch/language/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <type_traits>

#include "launch/language/json_reader.h"
#include "launch/language/queue_argument.h"
#include "launch/language/shell_words.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

// ---- Readers for statements with one value ----------------------------------------------------------

/// Sets a member of the plan or of the next launch, or calls a function of the builder, which may have nothing to refuse.
template <auto apply, class... Operands>
Status apply_to(PlanBuilder& builder, Operands&&... operands) {
  if constexpr (std::is_member_object_pointer_v<decltype(apply)>)
    return builder.set(apply, std::forward<Operands>(operands)...), Unit{};
  else if constexpr (std::is_void_v<decltype((builder.*
                                              apply)(std::forward<Operands>(operands)...))>)
    return (builder.*apply)(std::forward<Operands>(operands)...), Unit{};
  else
    return (builder.*apply)(std::forward<Operands>(operands)...);
}

/// WORD VALUE: `parse` reads the value, and `apply` takes it.
template <auto parse, auto apply>
Status line(PlanBuilder& builder, std::string_view rest) {
  auto value = parse(rest);
  if (!value) return value.errors();
  return apply_to<apply>(builder, std::move(value).value());
}

template <auto read, auto apply>
void json(JsonReader& reader, const Json& value) {
  if (auto operand = (reader.*read)(value))
    reader.note(apply_to<apply>(reader.builder(), std::move(*operand)));
}

/// Members whose names the author chose. `read` takes the name as well, or else `apply` does.
template <auto read, auto apply>
void json_named(JsonReader& reader, const Json& value) {
  reader.named(value, [&](const std::string& name, const Json& item) {
    if constexpr (requires { (reader.*read)(name, item); }) {
      if (auto operand = (reader.*read)(name, item))
        reader.note(apply_to<apply>(reader.builder(), std::move(*operand)));
    } else if (auto operand = (reader.*read)(item)) {
      reader.note(apply_to<apply>(reader.builder(), name, std::move(*operand)));
    }
  });
}

/// One string or several.
template <auto apply>
void json_texts(JsonReader& reader, const Json& value) {
  reader.texts(value, [&](std::string text) {
    reader.note(apply_to<apply>(reader.builder(), std::move(text)));
  });
}

Result<std::string> parse_text(std::string_view text) { return std::string(trimmed(text)); }

// ---- Overrides --------------------------------------------------------------------------------------

/// The launch that options describe; PlanBuilder::finish() always makes one.
LaunchStep& launch_in(LaunchPlan& given) {
  return std::get<LaunchStep>(*std::ranges::find_if(
      given.steps, [](const Step& step) { return std::holds_alternative<LaunchStep>(step); }));
}

template <class Change>
void change_launches(LaunchPlan& plan, const Change& change) {
  for (Step& step : plan.steps)
    if (auto* const launch = std::get_if<LaunchStep>(&step)) change(*launch);
}

/// Replaces a member of the plan, or of all its launches.
template <auto member>
Status override_member(LaunchPlan& plan, LaunchPlan& given) {
  if constexpr (requires { plan.*member; })
    plan.*member = std::move(given.*member);
  else
    change_launches(plan, [&](LaunchStep& launch) { launch.*member = launch_in(given).*member; });
  return Unit{};
}

/// Numbers of work-items and of work-groups stand for each other.
template <SizeList LaunchStep::*member, SizeList LaunchStep::*other>
Status override_sizes(LaunchPlan& plan, LaunchPlan& given) {
  const LaunchStep& by = launch_in(given);
  change_launches(plan, [&](LaunchStep& launch) {
    launch.*member = by.*member;
    launch.*other = by.*other;
  });
  return Unit{};
}

Status override_swaps(LaunchPlan& plan, LaunchPlan& given) {
  const LaunchStep& by = launch_in(given);
  change_launches(plan, [&](LaunchStep& launch) {
    launch.swaps = by.swaps;
    launch.repeat_where = by.repeat_where;
  });
  return Unit{};
}

/// Fails if the plan launches several kernels: one name cannot replace them.
Status override_kernel(LaunchPlan& plan, LaunchPlan& given) {
  const LaunchStep& by = launch_in(given);
  std::set<std::string> kernels;
  change_launches(plan, [&](LaunchStep& launch) { kernels.insert(launch.kernel); });
  if (kernels.size() > 1)
    return command_error(kBadCommandLine,
                         fmt::format("'-k {}' cannot stand for the {} kernels that '{}' launches",
                                     by.kernel, kernels.size(), plan.input),
                         fmt::format("they are {}", listed({kernels.begin(), kernels.end()})));
  change_launches(plan, [&](LaunchStep& launch) {
    launch.kernel = by.kernel;
    launch.where = by.where;
  });
  return Unit{};
}

Status override_arguments(LaunchPlan& plan, LaunchPlan& given) {
  plan.overriding = launch_in(given).arguments;
  return Unit{};
}

/// Replaces the buffers of the same names, or adds them.
Status override_buffers(LaunchPlan& plan, LaunchPlan& given) {
  for (BufferSpec& buffer : given.buffers) {
    const auto old = std::ranges::find(plan.buffers, buffer.name, &BufferSpec::name);
    if (old == plan.buffers.end()) {
      plan.buffers.push_back(std::move(buffer));
      continue;
    }
    if (old->kind == BufferSpec::Kind::kShared || old->kind == BufferSpec::Kind::kVariable)
      return command_error(
          kBadCommandLine,
          fmt::format("'--buffer {}' cannot replace a {}", buffer.name,
                      old->kind == BufferSpec::Kind::kShared ? "range of shared memory"
                                                             : "program-scope variable"));
    *old = std::move(buffer);
  }
  return Unit{};
}

Status override_queues(LaunchPlan& plan, LaunchPlan& given) {
  for (QueueSpec& queue : given.queues) {
    const auto old = std::ranges::find(plan.queues, queue.name, &QueueSpec::name);
    if (old == plan.queues.end())
      plan.queues.push_back(std::move(queue));
    else
      *old = std::move(queue);
  }
  return Unit{};
}

/// The first value of a constant counts.
Status override_constants(LaunchPlan& plan, LaunchPlan& given) {
  for (SpecialisationSpec& spec : given.specialisation) spec.overriding = true;
  plan.specialisation.insert(plan.specialisation.begin(), given.specialisation.begin(),
                             given.specialisation.end());
  return Unit{};
}

Status add_options(LaunchPlan& plan, LaunchPlan& given) {
  for (std::string& word : given.build_options) plan.build_options.push_back(std::move(word));
  return Unit{};
}

// ---- Writers ----------------------------------------------------------------------------------------

/// Writes a statement for each element of a list.
template <auto write, auto member>
Status write_each(LaunchWriter& out, const LaunchPlan& plan) {
  for (const auto& value : plan.*member) (out.*write)(value);
  return Unit{};
}

Status write_options(LaunchWriter& out, const LaunchPlan& plan) {
  return out.options(plan.build_options);
}

Status write_suppressions(LaunchWriter& out, const LaunchPlan& plan) {
  for (const NamedSuppression& named : plan.suppressions) out.suppress(named.what);
  return Unit{};
}

Status write_default_queue(LaunchWriter& out, const LaunchPlan& plan) {
  if (plan.default_queue) out.default_queue(plan.default_queue->name);
  return Unit{};
}

void write_kernel(LaunchWriter& out, const LaunchStep& launch) {
  if (!launch.kernel.empty()) out.kernel(launch.kernel);
}

template <auto write, auto member>
void write_sizes(LaunchWriter& out, const LaunchStep& launch) {
  (out.*write)(launch.*member);
}

/// Writes nothing where the launch has no such sizes.
template <void (LaunchWriter::*write)(const SizeList&), SizeList LaunchStep::*member>
void write_given_sizes(LaunchWriter& out, const LaunchStep& launch) {
  if ((launch.*member).dimensions != 0) (out.*write)(launch.*member);
}

template <ArgumentSpec::Form form>
void write_arguments(LaunchWriter& out, const LaunchStep& launch) {
  for (const ArgumentSpec& argument : launch.arguments)
    if (argument.form == form) out.argument(argument);
}

void write_repeat(LaunchWriter& out, const LaunchStep& launch) {
  if (launch.repeat != 1 || !launch.swaps.empty()) out.repeat(launch.repeat, launch.swaps);
}

// ---- Statements with several values -----------------------------------------------------------------

Status options_line(PlanBuilder& builder, std::string_view words) {
  auto split = shell_words(words);
  if (!split) return split.errors();
  for (const std::string& word : *split) builder.set(&LaunchPlan::build_options, word);
  return Unit{};
}

Status constant(PlanBuilder& builder, std::string_view target, std::string_view value) {
  auto spec = parse_value_spec(value);
  if (!spec) return spec.errors();
  return builder.specialise(std::string(target), std::move(spec).value());
}

Status buffer(PlanBuilder& builder, std::string_view name, std::string_view value) {
  auto spec = parse_buffer(name, value);
  if (!spec) return spec.errors();
  return builder.declare(std::move(spec).value());
}

Status declare(PlanBuilder& builder, std::string_view name, BufferSpec::Kind kind,
               std::uint64_t address, Result<ValueSpec> value) {
  if (!value) return value.errors();
  BufferSpec spec;
  spec.name = name;
  spec.kind = kind;
  spec.address = address;
  spec.value = std::move(value).value();
  return builder.declare(std::move(spec));
}

/// `place`: "NAME at ADDRESS".
Status shared(PlanBuilder& builder, std::string_view place, std::string_view value) {
  const std::string_view name = take_word(place);
  if (name.empty() || take_word(place) != "at" || place.empty())
    return command_error(kBadLaunchFile, "shared memory needs a name and an address",
                         "write 'shared nodes at 0x200000000000 = ulong:zero:16'");
  const auto address = parse_count(place, "address");
  if (!address) return address.errors();
  return declare(builder, name, BufferSpec::Kind::kShared, *address, parse_value_spec(value));
}

Status variable(PlanBuilder& builder, std::string_view name, std::string_view value) {
  return declare(builder, name, BufferSpec::Kind::kVariable, 0, parse_variable(value));
}

void variables_json(JsonReader& reader, const Json& value) {
  reader.named(value, [&](const std::string& name, const Json& item) {
    if (auto spec = reader.variable(item))
      reader.note(
          declare(reader.builder(), name, BufferSpec::Kind::kVariable, 0, std::move(*spec)));
  });
}

Result<QueueSpec> parse_queue_line(std::string_view text) { return parse_queue(text); }

/// "NAME[=SIZE]"
Status queue_option(PlanBuilder& builder, std::string_view text) {
  std::string words(text);
  std::ranges::replace(words, '=', ' ');
  return line<parse_queue_line, &PlanBuilder::queue>(builder, words);
}

template <ArgumentSpec::Form form>
Status argument(PlanBuilder& builder, std::string_view target, std::string_view value) {
  auto argument = parse_argument(target, value);
  if (!argument) return argument.errors();
  argument->form = form;
  return builder.argument(std::move(argument).value());
}

template <ArgumentSpec::Form form>
void argument_json(JsonReader& reader, const Json& value) {
  reader.named(value, [&](const std::string& target, const Json& item) {
    auto argument = reader.argument(target, item);
    if (!argument) return;
    argument->form = form;
    reader.note(reader.builder().argument(std::move(*argument)));
  });
}

/// "N [swap A B]..."
Status repeat(PlanBuilder& builder, std::string_view text) {
  const auto count = parse_count(take_word(text), "number of repeats");
  if (!count) return count.errors();
  builder.repeat(*count);
  while (!text.empty()) {
    const std::string_view word = take_word(text);
    const std::string_view a = take_word(text);
    const std::string_view b = take_word(text);
    if (word != "swap" || b.empty())
      return command_error(kBadLaunchFile,
                           fmt::format("'{}' was not expected after the number of repeats", word),
                           "write 'repeat 10 swap a b'");
    builder.swap(std::string(a), std::string(b));
  }
  return Unit{};
}

/// "A,B"
Status swap_option(PlanBuilder& builder, std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos)
    return command_error(kBadCommandLine, "two arguments are expected, as in 'a,b'");
  builder.swap(std::string(text.substr(0, comma)), std::string(text.substr(comma + 1)));
  return Unit{};
}

void swap_json(JsonReader& reader, const Json& value) {
  reader.swaps(value, [&](std::string a, std::string b) {
    reader.builder().swap(std::move(a), std::move(b));
  });
}

Status launch(PlanBuilder& builder, std::string_view rest) {
  if (!rest.empty())
    return command_error(kBadLaunchFile, fmt::format("'{}' was not expected after 'launch'", rest));
  builder.launch();
  return Unit{};
}

void launch_json(JsonReader& reader, const Json& value) {
  reader.object(value, fields_of(reader, JsonPlace::kLaunch));
  reader.builder().launch();
}

Status output(PlanBuilder& builder, std::string_view buffer, std::string_view file) {
  auto output = parse_output(buffer, file);
  if (!output) return output.errors();
  return builder.output(std::move(output).value());
}

template <const auto& word>
Status setting(PlanBuilder& builder, std::string_view value) {
  return builder.setting(word, value);
}

constexpr std::string_view kIsa = "isa", kThreads = "threads", kSharedBase = "shared-base";

void isa_json(JsonReader& reader, const Json& value) {
  if (const auto name = reader.one_of(value, known_isas(), "instruction sets"))
    reader.note(reader.builder().setting(kIsa, *name));
}

void threads_json(JsonReader& reader, const Json& value) {
  if (const auto count = reader.count(value))
    reader.note(reader.builder().setting(kThreads, fmt::to_string(*count)));
}

void shared_base_json(JsonReader& reader, const Json& value) {
  if (const auto address = reader.whole_or_text(value))
    reader.note(reader.builder().setting(kSharedBase, *address));
}

void modules_json(JsonReader& reader, const Json& value) {
  if (value.is_array() && value.empty())
    return reader.refuse("no module is named", "write \"modules\": [\"kernel.cl\"]");
  json_texts<&PlanBuilder::module>(reader, value);
}

// ---- The table --------------------------------------------------------------------------------------

constexpr auto kLaunch = JsonPlace::kLaunch, kStep = JsonPlace::kStep;
using Builder = PlanBuilder;
using Reader = JsonReader;
using Writer = LaunchWriter;
constexpr auto kArgument = ArgumentSpec::Form::kArgument, kBinding = ArgumentSpec::Form::kBinding,
               kPush = ArgumentSpec::Form::kPush;

constexpr Statement kStatements[] = {
#define TRANSPIRE_STATEMENT(...) {__VA_ARGS__},
#include "launch/language/statements.def"
#undef TRANSPIRE_STATEMENT
};

// With -fsanitize=undefined, g++ 12 takes no comparison of functions' addresses for a constant.
#if !defined(__SANITIZE_ADDRESS__)
/// True if a member of JSON has its schema, an option its help, and a line that describes launches its writer.
constexpr bool is_complete(const Statement& statement) {
  const bool has_line = statement.line != nullptr || statement.assignment != nullptr;
  const bool is_written = statement.write != nullptr || statement.write_launch != nullptr;
  return statement.member.empty() == statement.schema.empty() &&
         statement.names.empty() == statement.help.empty() &&
         (!has_line || statement.override_by == nullptr || is_written);
}
static_assert(std::ranges::all_of(kStatements, is_complete));
#endif

}  // namespace

std::span<const Statement> statements() { return kStatements; }

std::vector<JsonReader::Field> fields_of(JsonReader& reader, JsonPlace place) {
  std::vector<JsonReader::Field> fields;
  for (const Statement& statement : kStatements)
    if (statement.place == place && !statement.member.empty())
      fields.push_back({statement.member, [&](const Json& value) { statement.json(reader, value); },
                        statement.is_required});
  return fields;
}

}  // namespace transpire::launch
