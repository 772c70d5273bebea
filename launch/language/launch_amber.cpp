// Amber scripts (github.com/google/amber, "AmberScript"), the part about compute pipelines: shaders in the script or in files,
// buffers, pipelines that bind them, runs and expectations. A command becomes statements of the launch language. Graphics, ray
// tracing, images and OpenCL C are refused by name.
#include <fmt/format.h>

#include <algorithm>

#include "launch/language/amber_types.h"
#include "launch/language/amber_words.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"
#include "launch/report/text.h"

namespace transpire::launch {
namespace {

/// Limit of the commands of all repetitions.
constexpr std::uint64_t kMostCommands = 100'000;

Diagnostic amber_error(std::string message, std::string help = {}) {
  return command_error(kBadLaunchFile, std::move(message), std::move(help));
}

Diagnostic not_supported(std::string_view what) {
  return command_error(kNotSupported, fmt::format("{} in an Amber script is not supported", what),
                       "Transpire runs compute pipelines with buffers, of GLSL and SPIR-V");
}

struct Shader {
  std::string format, text, path;  ///< the text, or else a file's path
};

struct Pipeline {
  std::string shader, entry = "main";
  std::vector<SpecialisationSpec> constants{};
  std::vector<ArgumentSpec> arguments{};
};

struct AmberBuffer {
  AmberType type;
  ValueSpec value;
  std::uint64_t size_bytes = 0;  ///< 0: as large as a file
};

class AmberScript {
 public:
  AmberScript(std::string_view text, const std::string& file, PlanBuilder& builder)
      : words_(text, file), builder_(builder) {}

  Status read();
  const SourceLine& where() const { return words_.where(); }

 private:
  using Command = Status (AmberScript::*)();
  struct Row {
    std::string_view word;
    Command read;
  };
  static const Row kCommands[], kPipelineCommands[];

  Status read_command(std::span<const Row> commands, std::string_view word,
                      std::string_view refused);

  // Commands of the script.
  Status ignore() { return words_.skip_line(), Unit{}; }
  Status ignore_block() { return words_.block(), Unit{}; }
  Status virtual_file();
  Status shader();
  Status structure();
  Status buffer();
  Status pipeline();
  Status derived_pipeline();
  Status run();
  Status repeat();
  Status end();
  Status expect();

  // Commands of a pipeline.
  Status read_pipeline(const std::string& name);
  Status attach();
  Status bind();
  Result<std::string> descriptor();

  Result<std::string> name_of(std::string_view what);
  Result<std::uint64_t> number(std::string_view what);
  Status expect_word(std::string_view word);
  Result<ValueSpec> initializer(const AmberType& type, std::optional<std::uint64_t> count);
  Result<ValueSpec> numbers_of(const AmberType& type, AmberWords& from);
  Result<ValueSpec> file_value(const AmberType& type);
  Result<std::size_t> program_of(const Pipeline& pipeline);
  Status expect_buffer(const std::string& name, std::string_view how);
  Result<Tolerance> tolerance();
  Status expect_numbers(const std::string& name, const AmberBuffer& buffer, std::uint64_t offset,
                        Tolerance tolerance, const std::vector<std::string>& numbers);

  AmberWords words_;
  PlanBuilder& builder_;
  std::map<std::string, std::string, std::less<>> files_;  ///< VIRTUAL_FILE
  std::map<std::string, Shader, std::less<>> shaders_;
  AmberStructs structs_;
  std::map<std::string, AmberBuffer, std::less<>> buffers_;
  std::map<std::string, Pipeline, std::less<>> pipelines_;
  std::vector<std::pair<std::string, std::size_t>> programs_;  ///< shader and constants
  std::vector<std::pair<std::uint64_t, AmberWords>> repeats_;
  Pipeline* open_ = nullptr;  ///< the pipeline that is being read
  std::uint64_t commands_ = 0;
};

const AmberScript::Row AmberScript::kCommands[] = {
    {"SHADER", &AmberScript::shader},
    {"VIRTUAL_FILE", &AmberScript::virtual_file},
    {"STRUCT", &AmberScript::structure},
    {"BUFFER", &AmberScript::buffer},
    {"PIPELINE", &AmberScript::pipeline},
    {"DERIVE_PIPELINE", &AmberScript::derived_pipeline},
    {"RUN", &AmberScript::run},
    {"REPEAT", &AmberScript::repeat},
    {"END", &AmberScript::end},
    {"EXPECT", &AmberScript::expect},
    {"SET", &AmberScript::ignore},
    {"DEVICE_FEATURE", &AmberScript::ignore},
    {"DEVICE_PROPERTY", &AmberScript::ignore},
    {"DEVICE_EXTENSION", &AmberScript::ignore},
    {"INSTANCE_EXTENSION", &AmberScript::ignore},
};

const AmberScript::Row AmberScript::kPipelineCommands[] = {
    {"ATTACH", &AmberScript::attach},
    {"BIND", &AmberScript::bind},
    {"SUBGROUP", &AmberScript::ignore_block},
    {"SHADER_OPTIMIZATION", &AmberScript::ignore_block},
    {"COMPILE_OPTIONS", &AmberScript::ignore_block},
};

Status AmberScript::read_command(std::span<const Row> commands, std::string_view word,
                                 std::string_view refused) {
  builder_.set_place(words_.where());
  if (++commands_ > kMostCommands) return amber_error("the script repeats too many commands");
  const auto known = std::ranges::find(commands, word, &Row::word);
  if (known == commands.end()) {
    const bool is_word = std::ranges::all_of(
        word, [](char c) { return (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9'); });
    if (is_word) return not_supported(fmt::format("{}{}", refused, word));
    return amber_error(fmt::format("'{}' is no command of Amber", word));
  }
  if (const Status done = (this->*known->read)(); !done) return done;
  const std::string_view rest = words_.word();
  if (rest.empty()) return Unit{};
  return amber_error(fmt::format("'{}' was not expected behind '{}'", rest, word));
}

Status AmberScript::read() {
  for (std::string_view word = words_.any_word(); !word.empty(); word = words_.any_word())
    if (const Status done = read_command(kCommands, word, ""); !done) return done;
  if (!repeats_.empty()) return amber_error("'END' is missing behind 'REPEAT'");
  return programs_.empty() ? Status(amber_error("the script runs no pipeline")) : Unit{};
}

Result<std::string> AmberScript::name_of(std::string_view what) {
  const std::string_view word = words_.word();
  if (word.empty()) return amber_error(fmt::format("the {} is missing", what));
  return std::string(word);
}

Result<std::uint64_t> AmberScript::number(std::string_view what) {
  return parse_count(words_.word(), what);
}

Status AmberScript::expect_word(std::string_view word) {
  const std::string_view found = words_.word();
  if (found == word) return Unit{};
  return amber_error(fmt::format("'{}' is expected, found '{}'", word, found));
}

// ---- Shaders ----------------------------------------------------------------------------------------

Status AmberScript::virtual_file() {
  TRANSPIRE_TRY(const std::string path, name_of("path of the file"));
  files_[path] = words_.block();
  return Unit{};
}

Status AmberScript::shader() {
  const std::string_view stage = words_.word();
  if (stage != "compute" && stage != "multi")
    return not_supported(fmt::format("a graphics pipeline (a {} shader)", stage));
  TRANSPIRE_TRY(const std::string name, name_of("name of the shader"));
  Shader& shader = shaders_[name];
  shader = {std::string(words_.word()), {}, {}};
  if (shader.format == "OPENCL-C" || shader.format == "HLSL")
    return not_supported(fmt::format("a shader in {}", shader.format));
  if (shader.format != "GLSL" && !shader.format.starts_with("SPIRV-"))
    return amber_error(fmt::format("there is no format of shaders '{}'", shader.format));
  std::string_view word = words_.word();
  if (word == "TARGET_ENV") {
    words_.word();
    word = words_.word();
  }
  if (word == "FILE" || word == "VIRTUAL_FILE") {
    TRANSPIRE_TRY(shader.path, name_of("path of the shader"));
    if (word == "FILE") return Unit{};
    const auto file = files_.find(shader.path);
    if (file == files_.end())
      return amber_error(fmt::format("there is no virtual file '{}'", shader.path));
    shader.text = file->second;
  } else if (!word.empty()) {
    return amber_error(fmt::format("'{}' was not expected behind the shader's format", word));
  } else {
    shader.text = words_.block();
  }
  if (shader.format != "SPIRV-HEX") return Unit{};
  TRANSPIRE_TRY(shader.text, bytes_of_hex(shader.text));
  return Unit{};
}

// ---- Buffers ----------------------------------------------------------------------------------------

Status AmberScript::structure() {
  TRANSPIRE_TRY(const std::string name, name_of("name of the struct"));
  AmberStruct made;
  if (words_.peek() == "STRIDE") {
    words_.word();
    TRANSPIRE_TRY(made.stride_bytes, number("stride"));
  }
  for (std::string_view word = words_.any_word(); word != "END"; word = words_.any_word()) {
    if (word.empty()) return amber_error("'END' is missing behind the struct");
    AmberMember& member = made.members.emplace_back();
    member.type = word;
    TRANSPIRE_TRY(const std::string ignored, name_of("name of the member"));
    for (std::string_view more = words_.word(); !more.empty(); more = words_.word()) {
      TRANSPIRE_TRY(const std::uint64_t bytes, number("number of bytes"));
      if (more == "OFFSET")
        member.offset_bytes = bytes;
      else if (more == "ARRAY_STRIDE")
        member.array_stride = bytes;
      else
        return not_supported(fmt::format("{} of a struct's member", more));
    }
  }
  structs_[name] = std::move(made);
  return Unit{};
}

Result<ValueSpec> AmberScript::numbers_of(const AmberType& type, AmberWords& from) {
  std::vector<std::string> numbers;
  for (std::string_view word = from.any_word(); word != "END"; word = from.any_word()) {
    if (word.empty() && &from == &words_) return amber_error("'END' is missing behind the data");
    if (word.empty()) break;
    numbers.emplace_back(word);
  }
  return amber_value(type, numbers, std::nullopt);
}

Result<ValueSpec> AmberScript::file_value(const AmberType& type) {
  std::string_view form = words_.word();
  ValueSpec value;
  value.maker = ValueSpec::Maker::kFile;
  value.type = type.word() ? *type.word() : TypeWord{ScalarType::kUchar, 1};
  value.any_type = true;
  value.raw_bytes = !type.word();
  TRANSPIRE_TRY(value.file, name_of("name of the file"));
  if (form == "BINARY") return value;
  if (form != "TEXT") return not_supported(fmt::format("a buffer from a {} file", form));
  const auto bytes = read_text_file(builder_.path_of(value.file));
  if (!bytes) return bytes.errors();
  AmberWords text({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, value.file);
  return numbers_of(type, text);
}

/// `count` elements, or as many as the data have.
Result<ValueSpec> AmberScript::initializer(const AmberType& type,
                                           std::optional<std::uint64_t> count) {
  const std::string_view how = words_.word();
  if (how == "DATA") return numbers_of(type, words_);
  if (how == "FILE") return file_value(type);
  if (!count) return amber_error("a buffer needs 'DATA', 'FILE', or 'SIZE' and how to fill it");
  if (how == "FILL") {
    TRANSPIRE_TRY(std::string filler, name_of("number that fills the buffer"));
    return amber_value(type, {std::move(filler)}, *count);
  }
  if (how != "SERIES_FROM" || type.slots.size() != 1 || !type.word())
    return amber_error(fmt::format("'{}' is nothing that fills this buffer", how));
  ValueSpec value;
  value.maker = ValueSpec::Maker::kRange;
  value.type = *type.word();
  value.any_type = true;
  value.count = *count;
  TRANSPIRE_TRY(std::string start, name_of("start of the series"));
  if (const Status next = expect_word("INC_BY"); !next) return next.errors();
  TRANSPIRE_TRY(std::string step, name_of("step of the series"));
  for (std::string* const text : {&start, &step}) {
    TRANSPIRE_TRY(std::string word, amber_number(*text, type.slots[0].type));
    value.literals.push_back({std::move(word), {}, false});
  }
  return value;
}

Status AmberScript::buffer() {
  BufferSpec spec;
  TRANSPIRE_TRY(spec.name, name_of("name of the buffer"));
  if (words_.word() != "DATA_TYPE") return not_supported("an image (BUFFER FORMAT)");
  TRANSPIRE_TRY(const std::string type_name, name_of("type of the data"));
  const std::string layout(words_.peek());
  if (layout == "STD140" || layout == "STD430") words_.word();
  TRANSPIRE_TRY(AmberType type, amber_type(type_name, layout == "STD140", structs_));
  std::optional<std::uint64_t> count;
  if (const std::string_view word = words_.peek(); word == "SIZE" || word == "WIDTH") {
    words_.word();
    TRANSPIRE_TRY(count, number("size"));
    if (word == "WIDTH") {
      if (const Status next = expect_word("HEIGHT"); !next) return next;
      TRANSPIRE_TRY(const std::uint64_t rows, number("height"));
      count = *count * rows;
    }
  }
  TRANSPIRE_TRY(spec.value, initializer(type, count));
  const std::size_t numbers = spec.value.raw_bytes && !spec.value.literals.empty()
                                  ? spec.value.literals[0].number.size() / 2 / type.size_bytes
                                  : spec.value.literals.size() / type.slots.size();
  const std::uint64_t size = count.value_or(numbers) * type.size_bytes;
  buffers_[spec.name] = {std::move(type), spec.value, size};
  return builder_.declare(std::move(spec));
}

// ---- Pipelines --------------------------------------------------------------------------------------

Status AmberScript::read_pipeline(const std::string& name) {
  open_ = &pipelines_[name];
  for (std::string_view word = words_.any_word(); word != "END"; word = words_.any_word()) {
    if (word.empty()) return amber_error("'END' is missing behind the pipeline");
    if (const Status done = read_command(kPipelineCommands, word, "a pipeline's "); !done)
      return done;
  }
  return Unit{};
}

Status AmberScript::pipeline() {
  const std::string_view kind = words_.word();
  if (kind != "compute") return not_supported(fmt::format("a {} pipeline", kind));
  TRANSPIRE_TRY(const std::string name, name_of("name of the pipeline"));
  return read_pipeline(name);
}

Status AmberScript::derived_pipeline() {
  TRANSPIRE_TRY(const std::string name, name_of("name of the pipeline"));
  if (const Status next = expect_word("FROM"); !next) return next;
  TRANSPIRE_TRY(const std::string parent, name_of("pipeline to derive from"));
  const auto known = pipelines_.find(parent);
  if (known == pipelines_.end())
    return amber_error(fmt::format("there is no pipeline '{}'", parent));
  pipelines_[name] = known->second;
  return read_pipeline(name);
}

Status AmberScript::attach() {
  TRANSPIRE_TRY(open_->shader, name_of("name of the shader"));
  if (!shaders_.contains(open_->shader))
    return amber_error(fmt::format("there is no shader '{}'", open_->shader));
  open_->constants.clear();
  for (std::string_view word = words_.word(); !word.empty(); word = words_.word()) {
    if (word == "TYPE") {
      if (const std::string_view stage = words_.word(); stage != "compute")
        return not_supported(fmt::format("a graphics pipeline (a {} shader)", stage));
    } else if (word == "ENTRY_POINT") {
      TRANSPIRE_TRY(open_->entry, name_of("name of the entry point"));
    } else if (word == "SPECIALIZE") {
      SpecialisationSpec constant;
      TRANSPIRE_TRY(constant.target, name_of("SpecId"));
      if (const Status next = expect_word("AS"); !next) return next;
      TRANSPIRE_TRY(const AmberType type, amber_type(words_.word(), false, {}));
      if (type.slots.size() != 1) return amber_error("a specialisation constant takes one number");
      TRANSPIRE_TRY(std::string value, amber_number(words_.word(), type.slots[0].type));
      constant.value.type = TypeWord{type.slots[0].type, 1};
      constant.value.literals.push_back({std::move(value), {}, false});
      constant.where = words_.where();
      open_->constants.push_back(std::move(constant));
    } else {
      return amber_error(fmt::format("'{}' was not expected behind 'ATTACH'", word));
    }
  }
  return Unit{};
}

/// SET.BINDING behind DESCRIPTOR_SET.
Result<std::string> AmberScript::descriptor() {
  TRANSPIRE_TRY(const std::uint64_t set, number("descriptor set"));
  if (const Status next = expect_word("BINDING"); !next) return next.errors();
  TRANSPIRE_TRY(const std::uint64_t binding, number("binding"));
  return fmt::format("{}.{}", set, binding);
}

Status AmberScript::bind() {
  if (const std::string_view what = words_.word(); what == "BUFFER_ARRAY")
    return not_supported("an array of descriptors");
  else if (what != "BUFFER")
    return not_supported(fmt::format("BIND {}", what));
  ArgumentSpec argument;
  argument.kind = ArgumentSpec::Kind::kBuffer;
  argument.may_be_unused = true;
  TRANSPIRE_TRY(argument.buffer.name, name_of("name of the buffer"));
  const auto known = buffers_.find(argument.buffer.name);
  if (known == buffers_.end())
    return amber_error(fmt::format("there is no buffer '{}'", argument.buffer.name));
  if (const std::string_view as = words_.word(); as == "KERNEL")
    return not_supported("an argument of OpenCL C (KERNEL)");
  const std::string kind(words_.word());
  if (kind == "push_constant") {
    argument.kind = ArgumentSpec::Kind::kValue;
    argument.form = ArgumentSpec::Form::kPush;
    argument.target = "0";
    argument.value = known->second.value;
  } else if (kind == "storage" || kind == "uniform" || kind == "storage_dynamic" ||
             kind == "uniform_dynamic") {
    argument.form = ArgumentSpec::Form::kBinding;
    if (const Status next = expect_word("DESCRIPTOR_SET"); !next) return next;
    TRANSPIRE_TRY(argument.target, descriptor());
  } else {
    return not_supported(fmt::format("an image ({})", kind));
  }
  std::optional<std::uint64_t> range;
  for (std::string_view word = words_.word(); !word.empty(); word = words_.word()) {
    if (words_.peek() == "-1") {
      words_.word();  // the whole buffer
      continue;
    }
    TRANSPIRE_TRY(const std::uint64_t bytes, number("number of bytes"));
    if (word == "OFFSET" || word == "DESCRIPTOR_OFFSET")
      argument.buffer.offset_bytes += bytes;
    else if (word == "DESCRIPTOR_RANGE")
      range = bytes;
    else
      return amber_error(fmt::format("'{}' was not expected behind 'BIND'", word));
  }
  const std::uint64_t size = known->second.size_bytes;
  if (argument.buffer.offset_bytes > size) return amber_error("the offset lies past the buffer");
  if (range || argument.buffer.offset_bytes != 0)
    argument.buffer.size_bytes = range.value_or(size - argument.buffer.offset_bytes);
  std::erase_if(open_->arguments, [&](const ArgumentSpec& other) {
    return other.form == argument.form && other.target == argument.target;
  });
  open_->arguments.push_back(std::move(argument));
  return Unit{};
}

// ---- Runs and expectations --------------------------------------------------------------------------

/// The module that the pipeline's shader becomes with its constants.
Result<std::size_t> AmberScript::program_of(const Pipeline& pipeline) {
  const Shader& shader = shaders_.find(pipeline.shader)->second;
  std::string key = pipeline.shader;
  for (const SpecialisationSpec& constant : pipeline.constants)
    key += fmt::format(" {}={}", constant.target, constant.value.literals[0].number);
  for (const auto& [known, index] : programs_)
    if (known == key) return index;
  ProgramSpec program;
  program.text = shader.text;
  program.specialisation = pipeline.constants;
  const auto index = builder_.add_program(std::move(program), shader.path);
  programs_.emplace_back(std::move(key), index);
  return index;
}

Status AmberScript::run() {
  std::string name(words_.word());
  if (name == "TIMED_EXECUTION") name = words_.word();
  const auto known = pipelines_.find(name);
  if (known == pipelines_.end()) return amber_error(fmt::format("there is no pipeline '{}'", name));
  const Pipeline& pipeline = known->second;
  if (pipeline.shader.empty()) return amber_error(fmt::format("pipeline '{}' has no shader", name));
  std::array<std::uint64_t, 3> groups{};
  for (std::uint64_t& size : groups) {
    TRANSPIRE_TRY(size, number("number of work-groups"));
  }
  TRANSPIRE_TRY(const std::size_t program, program_of(pipeline));
  return builder_.dispatch(program, pipeline.entry, pipeline.arguments, groups);
}

Status AmberScript::repeat() {
  TRANSPIRE_TRY(const std::uint64_t count, number("number of repetitions"));
  if (count == 0) return amber_error("a block is repeated at least once");
  repeats_.emplace_back(count, words_);
  return Unit{};
}

Status AmberScript::end() {
  if (repeats_.empty()) return amber_error("'END' was not expected here");
  auto& [left, start] = repeats_.back();
  if (--left > 0)
    words_ = start;
  else
    repeats_.pop_back();
  return Unit{};
}

Result<Tolerance> AmberScript::tolerance() {
  std::optional<Tolerance> first;
  while (!words_.peek().empty() && words_.peek().find_first_of("0123456789.") == 0) {
    std::string_view word = words_.word();
    const bool is_relative = word.ends_with('%');
    if (is_relative) word.remove_suffix(1);
    auto read = parse_tolerance(word);
    if (!read) return read;
    if (is_relative) read->kind = Tolerance::Kind::kRelative;
    if (is_relative) read->amount /= 100;
    if (!first) first = *read;  // Amber compares buffers by the first one
  }
  return first ? Result<Tolerance>(*first) : amber_error("a tolerance is missing");
}

Status AmberScript::expect_buffer(const std::string& name, std::string_view how) {
  ExpectBufferStep step;
  step.slice.name = name;
  TRANSPIRE_TRY(step.other, name_of("other buffer"));
  if (!buffers_.contains(step.other))
    return amber_error(fmt::format("there is no buffer '{}'", step.other));
  if (how == "RMSE_BUFFER") {
    if (const Status next = expect_word("TOLERANCE"); !next) return next;
    auto amount = tolerance();
    if (!amount) return amount.errors();
    amount->kind = Tolerance::Kind::kRootMeanSquare;
    step.tolerances = {*amount};
  }
  builder_.expect(std::move(step));
  return Unit{};
}

/// Adds an expectation for each row of numbers of one type without gaps.
Status AmberScript::expect_numbers(const std::string& name, const AmberBuffer& buffer,
                                   std::uint64_t offset, Tolerance tolerance,
                                   const std::vector<std::string>& numbers) {
  for (std::size_t i = 0; i < numbers.size();) {
    const AmberType::Slot first = buffer.type.slot(i);
    const std::uint64_t each = size_bytes(first.type), begin = offset + first.offset_bytes;
    ExpectBufferStep step;
    step.slice = {name, false, begin / each, {}};
    step.value.type = TypeWord{first.type, 1};
    const std::size_t row = i;
    for (; i < numbers.size(); ++i) {
      const AmberType::Slot next = buffer.type.slot(i);
      if (next.type != first.type || next.offset_bytes != first.offset_bytes + (i - row) * each)
        break;
      TRANSPIRE_TRY(std::string word, amber_number(numbers[i], first.type));
      step.value.literals.push_back({std::move(word), {}, false});
    }
    step.slice.last = step.slice.first + (i - row) - 1;
    // 0 is -0.
    if (tolerance.kind != Tolerance::Kind::kExact || is_float(first.type))
      step.tolerances = {tolerance};
    if (tolerance.kind == Tolerance::Kind::kExact && is_float(first.type))
      step.tolerances[0].kind = Tolerance::Kind::kAbsolute;
    builder_.expect(std::move(step));
  }
  return Unit{};
}

Status AmberScript::expect() {
  using Kind = Tolerance::Kind;
  static constexpr std::pair<std::string_view, Kind> kComparators[] = {
      {"EQ", Kind::kExact},   {"NE", Kind::kNotEqual},    {"LT", Kind::kLess},
      {"GT", Kind::kGreater}, {"LE", Kind::kLessOrEqual}, {"GE", Kind::kGreaterOrEqual}};
  TRANSPIRE_TRY(const std::string name, name_of("name of the buffer"));
  const auto known = buffers_.find(name);
  if (known == buffers_.end()) return amber_error(fmt::format("there is no buffer '{}'", name));
  std::string_view word = words_.word();
  if (word == "EQ_BUFFER" || word == "RMSE_BUFFER") return expect_buffer(name, word);
  if (word != "IDX") return not_supported(fmt::format("EXPECT {}", word));
  TRANSPIRE_TRY(const std::uint64_t offset, number("offset"));
  word = words_.word();
  Tolerance how;
  if (word == "TOLERANCE") {
    const auto given = tolerance();
    if (!given) return given.errors();
    how = *given;
    word = words_.word();
  }
  const auto comparator =
      std::ranges::find(kComparators, word, [](const auto& row) { return row.first; });
  if (comparator == std::end(kComparators))
    return not_supported(fmt::format("EXPECT with '{}', of an image,", word));
  if (comparator->second != Kind::kExact) how.kind = comparator->second;
  std::vector<std::string> numbers;
  for (word = words_.word(); !word.empty(); word = words_.word()) numbers.emplace_back(word);
  if (numbers.empty()) return amber_error("the expected numbers are missing");
  if (offset % known->second.type.size_bytes != 0 &&
      (!known->second.type.word() || offset % size_bytes(known->second.type.slots[0].type) != 0))
    return amber_error(fmt::format("offset {} is not that of an element", offset));
  return expect_numbers(name, known->second, offset, how, numbers);
}

}  // namespace

Result<LaunchPlan> parse_amber(std::string_view text, const std::string& file) {
  PlanBuilder builder(file);
  AmberScript script(text, file, builder);
  if (const Status read = script.read(); !read) return placed(read.errors(), script.where());
  return builder.finish();
}

}  // namespace transpire::launch
