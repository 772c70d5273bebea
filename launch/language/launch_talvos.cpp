// Command files of Talvos (github.com/talvos/talvos, docs/sphinx/talvos-cmd.rst): a module, buffers, descriptors and dispatches. Words
// are separated by blanks and line ends; '#' begins a comment. Comments "# CHECK:   NAME[I] = VALUE", by which Talvos' own tests state
// what a buffer holds, are expectations.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"
#include "launch/report/text.h"

namespace transpire::launch {
namespace {

/// Limit of the commands of all loops.
constexpr std::uint64_t kMostTalvosCommands = 100'000;

Diagnostic talvos_error(std::string message) {
  return command_error(kBadLaunchFile, std::move(message));
}

constexpr std::pair<std::string_view, ScalarType> kTalvosTypes[] = {
    {"INT8", ScalarType::kChar},     {"UINT8", ScalarType::kUchar},  {"INT16", ScalarType::kShort},
    {"UINT16", ScalarType::kUshort}, {"INT32", ScalarType::kInt},    {"UINT32", ScalarType::kUint},
    {"INT64", ScalarType::kLong},    {"UINT64", ScalarType::kUlong}, {"FLOAT", ScalarType::kFloat},
    {"DOUBLE", ScalarType::kDouble}, {"BOOL", ScalarType::kBool}};

class TalvosFile {
 public:
  TalvosFile(std::string_view text, const std::string& file, PlanBuilder& builder)
      : text_(text), where_{file, 1, 1}, builder_(builder) {}

  Status read();
  const SourceLine& where() const { return where_; }

 private:
  struct Position {
    std::size_t at = 0, line_start = 0;
    std::uint32_t line = 1;
  };
  using Command = Status (TalvosFile::*)();
  static const std::pair<std::string_view, Command> kCommands[];

  Status module();
  Status entry();
  Status buffer();
  Status descriptor();
  Status specialise();
  Status dispatch();
  Status dump();
  Status loop();
  Status end_loop();
  Status read_checks();
  Status read_check(std::string_view line);

  std::string_view word();
  Result<std::string> name_of(std::string_view what);
  Result<std::uint64_t> number(std::string_view what) { return parse_count(word(), what); }
  Result<TypeWord> type_of_word(std::string_view text);
  Result<std::size_t> program();

  std::string_view text_;
  Position position_{};
  SourceLine where_;
  PlanBuilder& builder_;
  std::string module_, entry_;
  std::map<std::string, SpecialisationSpec> constants_;  ///< by SpecId
  std::map<std::string, ArgumentSpec> descriptors_;      ///< by SET.BINDING, and by element
  std::map<std::string, TypeWord> dumped_;               ///< types of the buffers that were dumped
  std::set<std::string> buffers_;
  std::map<std::string, std::size_t> programs_;  ///< by module and constants
  std::vector<std::pair<std::uint64_t, Position>> loops_;
  std::vector<std::pair<std::string_view, SourceLine>> checks_;
  bool has_dumped_ = false;  ///< since the last launch
};

const std::pair<std::string_view, TalvosFile::Command> TalvosFile::kCommands[] = {
    {"MODULE", &TalvosFile::module},
    {"ENTRY", &TalvosFile::entry},
    {"BUFFER", &TalvosFile::buffer},
    {"DESCRIPTOR_SET", &TalvosFile::descriptor},
    {"SPECIALIZE", &TalvosFile::specialise},
    {"DISPATCH", &TalvosFile::dispatch},
    {"DUMP", &TalvosFile::dump},
    {"LOOP", &TalvosFile::loop},
    {"ENDLOOP", &TalvosFile::end_loop}};

/// The next word; empty at the end. Notes checks of comments on the way.
std::string_view TalvosFile::word() {
  std::size_t& at = position_.at;
  for (; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c == '#') {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = text_.substr(at, end - at);
      if (line.starts_with("# CHECK:") && loops_.empty())
        checks_.emplace_back(trimmed(line.substr(8)), SourceLine{where_.file, position_.line, 1});
      at = end - 1;
    } else if (c == '\n') {
      ++position_.line;
      position_.line_start = at + 1;
    } else if (!is_blank(c)) {
      break;
    }
  }
  where_.line = position_.line;
  where_.column = static_cast<std::uint32_t>(at - position_.line_start + 1);
  const std::size_t end = std::min(text_.find_first_of(" \t\r\n", at), text_.size());
  const std::string_view found = text_.substr(at, end - at);
  at = end;
  return found;
}

Result<std::string> TalvosFile::name_of(std::string_view what) {
  const std::string_view found = word();
  if (found.empty()) return talvos_error(fmt::format("the file ends before the {}", what));
  return std::string(found);
}

/// "FLOAT", "INT32v4"
Result<TypeWord> TalvosFile::type_of_word(std::string_view text) {
  TypeWord type;
  const std::size_t suffix = std::min(text.find('v'), text.size());
  if (suffix != text.size()) {
    const auto width = parse_count(text.substr(suffix + 1), "width of a vector");
    if (!width) return width.errors();
    if (*width != 2 && *width != 3 && *width != 4 && *width != 8 && *width != 16)
      return talvos_error(fmt::format("there is no vector '{}'", text));
    type.components = static_cast<unsigned>(*width);
  }
  for (const auto& [name, scalar] : kTalvosTypes) {
    if (name != text.substr(0, suffix)) continue;
    type.scalar = scalar;
    return type;
  }
  return talvos_error(fmt::format("'{}' is no type", text));
}

Status TalvosFile::read() {
  std::uint64_t commands = 0;
  for (std::string_view name = word(); !name.empty(); name = word()) {
    builder_.set_place(where_);
    if (++commands > kMostTalvosCommands) return talvos_error("the file repeats too many commands");
    const auto known =
        std::ranges::find(kCommands, name, [](const auto& row) { return row.first; });
    if (known == std::end(kCommands))
      return talvos_error(fmt::format("'{}' is no command of Talvos", name));
    if (const Status done = (this->*known->second)(); !done) return done;
  }
  if (!loops_.empty()) return talvos_error("'ENDLOOP' is missing behind 'LOOP'");
  if (programs_.empty()) return talvos_error("the file dispatches nothing");
  return read_checks();
}

/// Checks that stand behind dumps are about the memory before the next launch.
Status TalvosFile::read_checks() {
  const SourceLine command = where_;
  for (const auto& [line, where] : std::exchange(checks_, {})) {
    where_ = where;
    builder_.set_place(where);
    if (const Status done = read_check(line); !done) return done;
  }
  where_ = command;
  builder_.set_place(where_);
  has_dumped_ = false;
  return Unit{};
}

Status TalvosFile::module() {
  TRANSPIRE_TRY(module_, name_of("module's name"));
  return Unit{};
}

Status TalvosFile::entry() {
  TRANSPIRE_TRY(entry_, name_of("entry point's name"));
  return Unit{};
}

Status TalvosFile::buffer() {
  BufferSpec spec;
  TRANSPIRE_TRY(spec.name, name_of("buffer's name"));
  TRANSPIRE_TRY(const std::uint64_t size, number("buffer size"));
  TRANSPIRE_TRY(const std::string how, name_of("buffer's content"));
  ValueSpec& value = spec.value;
  value.any_type = true;
  buffers_.insert(spec.name);
  if (how == "BINFILE") {
    value.maker = ValueSpec::Maker::kFile;
    value.type = TypeWord{ScalarType::kUchar, 1};
    value.raw_bytes = true;
    TRANSPIRE_TRY(value.file, name_of("file's name"));
    return builder_.declare(std::move(spec));
  }
  TRANSPIRE_TRY(value.type, type_of_word(word()));
  const std::uint64_t each = size_bytes(value.type->scalar);
  const std::uint64_t count = (size + each - 1) / each;
  std::uint64_t numbers = 1;
  value.count = count;
  if (how == "FILL") {
    value.maker = ValueSpec::Maker::kFill;
  } else if (how == "SERIES") {
    value.maker = ValueSpec::Maker::kRange;
    numbers = 2;
  } else if (how == "DATA") {
    value.maker = ValueSpec::Maker::kData;
    value.count.reset();
    numbers = count;
  } else {
    return talvos_error(fmt::format("'{}' is no content of a buffer", how));
  }
  for (std::uint64_t i = 0; i < numbers; ++i) {
    TRANSPIRE_TRY(std::string text, name_of("buffer's numbers"));
    value.literals.push_back({std::move(text), {}, false});
  }
  return builder_.declare(std::move(spec));
}

Status TalvosFile::descriptor() {
  TRANSPIRE_TRY(const std::uint64_t set, number("descriptor set"));
  TRANSPIRE_TRY(const std::uint64_t binding, number("binding"));
  TRANSPIRE_TRY(const std::uint64_t element, number("array element"));
  ArgumentSpec argument;
  argument.kind = ArgumentSpec::Kind::kBuffer;
  argument.form = ArgumentSpec::Form::kBinding;
  argument.may_be_unused = true;
  TRANSPIRE_TRY(argument.buffer.name, name_of("buffer's name"));
  if (!buffers_.contains(argument.buffer.name))
    return talvos_error(fmt::format("there is no buffer '{}'", argument.buffer.name));
  // The file does not say if it is an array: of the two names the module has one.
  const std::string target = fmt::format("{}.{}", set, binding);
  for (const std::string& name : {fmt::format("{}[{}]", target, element), target}) {
    argument.target = name;
    if (element == 0 || name != target) descriptors_[name] = argument;
  }
  return Unit{};
}

Status TalvosFile::specialise() {
  SpecialisationSpec constant;
  TRANSPIRE_TRY(constant.target, name_of("SpecId"));
  TRANSPIRE_TRY(constant.value.type, type_of_word(word()));
  TRANSPIRE_TRY(std::string text, name_of("constant's value"));
  constant.value.literals.push_back({std::move(text), {}, false});
  constant.where = where_;
  constants_[constant.target] = std::move(constant);
  return Unit{};
}

Result<std::size_t> TalvosFile::program() {
  if (module_.empty()) return talvos_error("'DISPATCH' stands before 'MODULE'");
  if (entry_.empty()) return talvos_error("'DISPATCH' stands before 'ENTRY'");
  std::string key = module_;
  ProgramSpec program;
  for (const auto& [id, constant] : constants_) {
    key += fmt::format(" {}={}", id, constant.value.literals[0].number);
    program.specialisation.push_back(constant);
  }
  const auto known = programs_.find(key);
  if (known != programs_.end()) return known->second;
  return programs_[key] = builder_.add_program(std::move(program), module_);
}

Status TalvosFile::dispatch() {
  if (has_dumped_ && loops_.empty())
    if (const Status done = read_checks(); !done) return done;
  std::array<std::uint64_t, 3> groups{};
  for (std::uint64_t& size : groups) {
    TRANSPIRE_TRY(size, number("number of work-groups"));
  }
  TRANSPIRE_TRY(const std::size_t index, program());
  std::vector<ArgumentSpec> arguments;
  for (const auto& [target, argument] : descriptors_) arguments.push_back(argument);
  return builder_.dispatch(index, entry_, arguments, groups);
}

Status TalvosFile::dump() {
  has_dumped_ = true;
  TRANSPIRE_TRY(const std::string type, name_of("type"));
  if (type == "ALL") return command_error(kNotSupported, "'DUMP ALL' is not supported");
  PrintStep print;
  TRANSPIRE_TRY(print.slice.name, name_of("buffer's name"));
  if (!buffers_.contains(print.slice.name))
    return talvos_error(fmt::format("there is no buffer '{}'", print.slice.name));
  if (type == "RAW") {
    print.type = TypeWord{ScalarType::kUchar, 1};
    print.style = PrintStep::Style::kHexadecimal;
  } else {
    TRANSPIRE_TRY(print.type, type_of_word(type));
    if (print.type->components == 3) print.type->components = 4;  // as Talvos prints them
    dumped_[print.slice.name] = *print.type;
  }
  builder_.print(std::move(print));
  return Unit{};
}

Status TalvosFile::loop() {
  TRANSPIRE_TRY(const std::uint64_t count, number("number of repetitions"));
  if (count == 0) return talvos_error("a loop runs at least once");
  loops_.emplace_back(count, position_);
  return Unit{};
}

Status TalvosFile::end_loop() {
  if (loops_.empty()) return talvos_error("'ENDLOOP' stands without 'LOOP'");
  if (--loops_.back().first > 0)
    position_ = loops_.back().second;
  else
    loops_.pop_back();
  return Unit{};
}

/// "x0[1] = -3.22222", "positions[0] = (1, 2.5, 3, 1)"; other checks are about what Talvos prints.
Status TalvosFile::read_check(std::string_view line) {
  std::string_view left, right;
  if (!split_at_equals(line, left, right)) return Unit{};
  const auto slice = parse_slice(left);
  const auto dumped = slice ? dumped_.find(slice->name) : dumped_.end();
  if (dumped == dumped_.end() || slice->all) return Unit{};
  auto numbers = parse_literals(right);
  const bool is_number = right.find_first_of("-0123456789(in") == 0;
  // Others are a NaN, a vector that the buffer cuts off, or what plugins print.
  if (!numbers || numbers->empty() || !is_number) return Unit{};
  ExpectBufferStep step;
  step.slice = *slice;
  step.value.type = dumped->second;
  step.value.literals = std::move(*numbers);
  // Talvos prints six digits of a float.
  constexpr double kPrinted = 1e-5;
  if (is_float(dumped->second.scalar))
    step.tolerances = {{Tolerance::Kind::kRelative, kPrinted, Profile::kFull}};
  builder_.expect(std::move(step));
  return Unit{};
}

}  // namespace

Result<LaunchPlan> parse_talvos(std::string_view text, const std::string& file) {
  PlanBuilder builder(file);
  TalvosFile talvos(text, file, builder);
  if (const Status read = talvos.read(); !read) return placed(read.errors(), talvos.where());
  return builder.finish();
}

}  // namespace transpire::launch
