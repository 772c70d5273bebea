// Statements of the launch language: see the header.
#include "launch/language/plan_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "launch/language/asked_settings.h"
#include "launch/language/queue_argument.h"
#include "launch/language/shell_words.h"
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

/// Removes the optional word before the brackets of a struct.
void take_struct(std::string_view& value) {
  value = trimmed(value);
  std::string_view rest = value;
  if (value.starts_with("struct{"))
    value.remove_prefix(6);
  else if (take_word(rest) == "struct")
    value = rest;
}

}  // namespace

PlanBuilder::PlanBuilder(const std::string& file) {
  plan_.input = file;
  directory_ = directory_of(file);
  where_.file = file;
}

Diagnostic PlanBuilder::syntax_error(const std::string& message, std::string help) const {
  return command_error(kBadLaunchFile, message, std::move(help));
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

Status PlanBuilder::named_module(std::string_view name) {
  if (!name.starts_with('"')) return module(name);
  const auto path = unquoted(name);
  if (!path) return path.errors();
  return module(*path);
}

Status PlanBuilder::options(std::string_view words) {
  auto split = shell_words(words);
  if (!split) return split.errors();
  for (std::string& word : *split) plan_.build_options.push_back(std::move(word));
  return Unit{};
}

Status PlanBuilder::suppress(std::string_view what) {
  if (what.empty())
    return syntax_error("the name of the file of suppressions is missing",
                        "write 'suppress known.supp', or 'suppress TSP-R0060'");
  std::string name(what);
  if (what.starts_with('"')) {
    auto text = unquoted(what);
    if (!text) return text.errors();
    name = std::move(text).value();
  }
  if (find_rule(full_rule_id(name)) == nullptr) name = path_of(name);
  plan_.suppressions.push_back({std::move(name), where_});
  return Unit{};
}

Status PlanBuilder::specialise(std::string_view target, std::string_view value) {
  if (target.empty()) return syntax_error("the SpecId or name of the constant is missing");
  auto spec = parse_value_spec(value);
  if (!spec) return spec.errors();
  const bool single =
      (spec->maker == ValueSpec::Maker::kLiterals || spec->maker == ValueSpec::Maker::kHex) &&
      spec->literals.size() == 1 && !spec->literals[0].is_list;
  if (!single)
    return syntax_error("a specialisation constant takes one number", "write 'spec 3 = uint:7'");
  plan_.specialisation.push_back({std::string(target), std::move(spec).value(), where_});
  return Unit{};
}

Status PlanBuilder::declare(BufferSpec spec) {
  for (const BufferSpec& other : plan_.buffers)
    if (other.name == spec.name)
      return syntax_error(fmt::format("buffer '{}' is declared twice", spec.name));
  spec.value = located(std::move(spec.value));
  spec.where = where_;
  plan_.buffers.push_back(std::move(spec));
  return Unit{};
}

Status PlanBuilder::buffer(std::string_view name, std::string_view value) {
  if (name.empty()) return syntax_error("the name of the buffer is missing");
  auto argument = parse_argument(name, value);
  if (!argument) return argument.errors();
  BufferSpec spec;
  spec.name = name;
  if (argument->kind == ArgumentSpec::Kind::kBuffer && argument->buffer.size_bytes) {
    spec.kind = BufferSpec::Kind::kSlice;
    spec.slice = std::move(argument->buffer);
  } else if (argument->kind == ArgumentSpec::Kind::kValue) {
    spec.value = std::move(argument->value);
  } else if (argument->kind == ArgumentSpec::Kind::kImage) {
    spec.kind = BufferSpec::Kind::kImage;
    spec.value = std::move(argument->value);
    spec.image = std::move(argument->image);
  } else if (argument->kind == ArgumentSpec::Kind::kPipe) {
    spec.kind = BufferSpec::Kind::kPipe;
    spec.value = std::move(argument->value);
    spec.pipe = argument->pipe;
  } else {
    return syntax_error(
        fmt::format("buffer '{}' needs contents, not '{}'", name, value),
        argument->kind == ArgumentSpec::Kind::kBuffer ? "a slice of a buffer needs a 'size'" : "");
  }
  return declare(std::move(spec));
}

Status PlanBuilder::shared(std::string_view place, std::string_view value) {
  const std::string_view name = take_word(place);
  if (name.empty() || take_word(place) != "at" || place.empty())
    return syntax_error("shared memory needs a name and an address",
                        "write 'shared nodes at 0x200000000000 = ulong:zero:16'");
  const auto address = parse_count(place, "address");
  if (!address) return address.errors();
  auto contents = parse_value_spec(value);
  if (!contents) return contents.errors();
  BufferSpec spec;
  spec.name = name;
  spec.kind = BufferSpec::Kind::kShared;
  spec.address = *address;
  spec.value = std::move(contents).value();
  if (spec.value.read_only || spec.value.write_only)
    return command_error(kBadValue, "shared memory can be read and written");
  return declare(std::move(spec));
}

Status PlanBuilder::variable(std::string_view name, std::string_view value) {
  if (name.empty()) return syntax_error("the name of the variable is missing");
  take_struct(value);
  auto contents = parse_value_spec(value);
  if (!contents) return contents.errors();
  BufferSpec spec;
  spec.name = name;
  spec.kind = BufferSpec::Kind::kVariable;
  spec.value = std::move(contents).value();
  if (spec.value.read_only || spec.value.write_only)
    return command_error(kBadValue, "a program-scope variable can be read and written");
  if (!spec.value.undefined.empty())
    return command_error(kBadValue, "a program-scope variable is defined from the beginning");
  return declare(std::move(spec));
}

Status PlanBuilder::queue(std::string_view text) {
  auto queue = parse_queue(text);
  if (!queue) return queue.errors();
  if (std::ranges::find(plan_.queues, queue->name, &QueueSpec::name) != plan_.queues.end())
    return syntax_error(fmt::format("queue '{}' is declared twice", queue->name));
  if (const auto refused = refusal_of_queue_count(plan_.queues.size() + 1))
    return command_error(kBadValue, refused->message);
  queue->where = where_;
  plan_.queues.push_back(std::move(queue).value());
  return Unit{};
}

Status PlanBuilder::default_queue(std::string_view name) {
  const std::string_view word = take_word(name);
  if (word.empty() || !name.empty())
    return syntax_error("'default-queue' takes the name of a queue, or 'none'");
  plan_.default_queue = {std::string(word), where_};
  return Unit{};
}

Status PlanBuilder::kernel(std::string_view name) {
  if (name.empty()) return syntax_error("the name of the kernel is missing");
  const bool launched = std::any_of(plan_.steps.begin(), plan_.steps.end(), [](const Step& step) {
    return std::holds_alternative<LaunchStep>(step);
  });
  if (!launched && !next_.kernel.empty() && next_.kernel != name)
    return syntax_error(fmt::format("kernel '{}' was not launched before kernel '{}' was chosen",
                                    next_.kernel, name),
                        "write 'launch' between them");
  if (launched && next_.kernel != name) next_.arguments.clear();
  next_.kernel = name;
  next_.where = where_;
  changed();
  return Unit{};
}

namespace {

Status set_sizes(SizeList& target, std::string_view text, const SourceLine& where) {
  const auto sizes = parse_sizes(text);
  if (!sizes) return sizes.errors();
  target = *sizes;
  target.where = where;
  return Unit{};
}

}  // namespace

Status PlanBuilder::global(std::string_view sizes) {
  changed();
  return set_sizes(next_.global, sizes, where_);
}

Status PlanBuilder::local(std::string_view sizes) {
  changed();
  if (sizes == "auto") {
    next_.local = {};
    return Unit{};
  }
  return set_sizes(next_.local, sizes, where_);
}

Status PlanBuilder::offset(std::string_view sizes) {
  changed();
  return set_sizes(next_.offset, sizes, where_);
}

Status PlanBuilder::argument(std::string_view target, std::string_view value) {
  auto argument = parse_argument(target, value);
  if (!argument) return argument.errors();
  argument->value = located(std::move(argument->value));
  return add_argument(std::move(argument).value());
}

Status PlanBuilder::add_argument(ArgumentSpec argument) {
  argument.where = where_;
  argument.serial = ++serial_;
  const auto old = std::find_if(next_.arguments.begin(), next_.arguments.end(),
                                [&](const ArgumentSpec& a) { return a.target == argument.target; });
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

Status PlanBuilder::repeat(std::string_view text) {
  const auto count = parse_count(take_word(text), "number of repeats");
  if (!count) return count.errors();
  next_.repeat = *count;
  next_.repeat_where = where_;
  while (!text.empty()) {
    const std::string_view word = take_word(text);
    const std::string_view a = take_word(text);
    const std::string_view b = take_word(text);
    if (word != "swap" || b.empty())
      return syntax_error(fmt::format("'{}' was not expected after the number of repeats", word),
                          "write 'repeat 10 swap a b'");
    swap(std::string(a), std::string(b));
  }
  changed();
  return Unit{};
}

void PlanBuilder::swap(std::string a, std::string b) {
  next_.swaps.emplace_back(std::move(a), std::move(b));
  next_.repeat_where = where_;
  changed();
}

void PlanBuilder::sim_dump(std::size_t index, bool hexadecimal) {
  PrintStep print;
  print.slice.name = fmt::to_string(index);
  print.style = hexadecimal ? PrintStep::Style::kOclgrindHexadecimal : PrintStep::Style::kOclgrind;
  print.where = where_;
  add_check(std::move(print));
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

Status PlanBuilder::launch() {
  next_.where = where_;
  run_pending();
  return Unit{};
}

void PlanBuilder::add_check(Step step) {
  (dirty_ ? waiting_ : plan_.steps).push_back(std::move(step));
}

/// Reads one word after the slice of a print, and takes its parameters off `rest`.
Status PlanBuilder::read_print_word(PrintStep& print, std::string_view word,
                                    std::string_view& rest) {
  if (word == "hex") {
    print.style = PrintStep::Style::kHexadecimal;
  } else if (word == "cols") {
    const auto columns = parse_columns(take_word(rest));
    if (!columns) return columns.errors();
    print.columns = *columns;
  } else if (word == "as") {
    const auto type = parse_type(take_word(rest));
    if (!type) return type.errors();
    print.type = *type;
  } else if (word == "ranges") {
    const std::string_view profile = take_word(rest);
    if (profile != "full" && profile != "embedded")
      return syntax_error(fmt::format("there is no profile '{}'", profile),
                          suggestion(profile, {"full", "embedded"}, "profiles"));
    print.ranges = profile == "full" ? Profile::kFull : Profile::kEmbedded;
  } else if (word.starts_with('>')) {
    const std::string_view file = word.size() > 1 ? word.substr(1) : take_word(rest);
    return syntax_error("'>' writes no file here",
                        fmt::format("write 'out {} = {}', '--out {}={}' on the command line",
                                    print.slice.name, file, print.slice.name, file));
  } else {
    const std::string near = nearest(word, {"hex", "cols", "as", "ranges"});
    return syntax_error(
        fmt::format("'{}' was not expected here", word),
        near.empty()
            ? "write 'print y[0..7]', with 'as TYPE', 'hex', 'cols N' or 'ranges full' after it "
              "if needed"
            : fmt::format("did you mean '{}'?", near));
  }
  return Unit{};
}

Status PlanBuilder::print(std::string_view text) {
  PrintStep print;
  print.where = where_;
  std::string_view rest = trimmed(text);
  const std::size_t slice_end = std::min(rest.find_first_of(" \t"), rest.size());
  const auto slice = parse_slice(rest.substr(0, slice_end));
  if (!slice) return slice.errors();
  print.slice = *slice;
  rest = trimmed(rest.substr(slice_end));
  while (!rest.empty()) {
    const std::string_view word = take_word(rest);
    if (Status read = read_print_word(print, word, rest); !read) return read;
  }
  if (print.ranges && print.columns)
    return syntax_error("'ranges' shows one number in a line, 'cols' several");
  add_check(std::move(print));
  return Unit{};
}

Status PlanBuilder::setting(std::string_view name, std::string_view value) {
  if (std::ranges::find(setting_words(), name) != setting_words().end())
    return read_setting(plan_.settings, name, value);
  return run_setting(name, value);
}

/// Reads settings that are in no table: instruction set, threads and the address of shared memory.
Status PlanBuilder::run_setting(std::string_view name, std::string_view value) {
  PlanSettings& settings = plan_.settings;
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
