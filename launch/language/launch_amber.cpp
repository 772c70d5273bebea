// Amber scripts (github.com/google/amber, "AmberScript"), the part about compute pipelines: shaders in the script or in files,
// buffers and images, pipelines that bind them, runs and expectations. Graphics and ray tracing are refused by name.
#include <algorithm>

#include "launch/language/amber_script.h"

namespace transpire::launch {
namespace {

/// Limit of the commands of all repetitions.
constexpr std::uint64_t kMostCommands = 100'000;

}  // namespace

const AmberScript::Row AmberScript::kCommands[] = {
    {"SHADER", &AmberScript::shader},
    {"VIRTUAL_FILE", &AmberScript::virtual_file},
    {"STRUCT", &AmberScript::structure},
    {"BUFFER", &AmberScript::buffer},
    {"IMAGE", &AmberScript::image},
    {"SAMPLER", &AmberScript::sampler},
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
    {"SET", &AmberScript::set_argument},
    {"SUBGROUP", &AmberScript::ignore_block},
    {"SHADER_OPTIMIZATION", &AmberScript::ignore_block},
    {"COMPILE_OPTIONS", &AmberScript::compile_options},
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

Status AmberScript::read_pipeline(const std::string& name) {
  open_ = &pipelines_[name];
  for (std::string_view word = words_.any_word(); word != "END"; word = words_.any_word()) {
    if (word.empty()) return amber_error("'END' is missing behind the pipeline");
    if (const Status done = read_command(kPipelineCommands, word, "a pipeline's "); !done)
      return done;
  }
  return Unit{};
}

Status AmberScript::read() {
  for (std::string_view word = words_.any_word(); !word.empty(); word = words_.any_word())
    if (const Status done = read_command(kCommands, word, ""); !done) return done;
  if (!repeats_.empty()) return amber_error("'END' is missing behind 'REPEAT'");
  if (has_depth_ && repeats_depth_) return not_supported("a sampler with several address modes");
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
  AmberShader& shader = shaders_[name];
  shader = {std::string(words_.word()), {}, {}};
  if (shader.format == "HLSL") return not_supported("a shader in HLSL");
  if (shader.format != "GLSL" && shader.format != "OPENCL-C" &&
      !shader.format.starts_with("SPIRV-"))
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

// ---- Runs and expectations --------------------------------------------------------------------------

/// The module that the pipeline's shader becomes with its constants.
Result<std::size_t> AmberScript::program_of(const AmberPipeline& pipeline) {
  const AmberShader& shader = shaders_.find(pipeline.shader)->second;
  std::string key = pipeline.shader;
  for (const std::string& option : pipeline.options) key += " " + option;
  for (const SpecialisationSpec& constant : pipeline.constants)
    key += fmt::format(" {}={}", constant.target, constant.value.literals[0].number);
  for (const auto& [known, index] : programs_)
    if (known == key) return index;
  ProgramSpec program;
  program.text = shader.text;
  program.options = pipeline.options;
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
  const AmberPipeline& pipeline = known->second;
  if (pipeline.shader.empty()) return amber_error(fmt::format("pipeline '{}' has no shader", name));
  std::array<std::uint64_t, 3> groups{};
  for (std::uint64_t& size : groups) {
    TRANSPIRE_TRY(size, number("number of work-groups"));
  }
  for (const ArgumentSpec& argument : pipeline.arguments)
    if (argument.form == ArgumentSpec::Form::kPush && written_.contains(argument.buffer.name))
      return not_supported("a buffer as push_constant that an earlier RUN may have written");
  for (const ArgumentSpec& argument : pipeline.arguments)
    if (argument.kind == ArgumentSpec::Kind::kBuffer) written_.insert(argument.buffer.name);
  TRANSPIRE_TRY(const std::size_t program, program_of(pipeline));
  const bool is_opencl = shaders_.find(pipeline.shader)->second.format == "OPENCL-C";
  return builder_.dispatch(program, pipeline.entry, pipeline.arguments, groups,
                           is_opencl ? std::optional(pipeline.local) : std::nullopt);
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

Result<LaunchPlan> parse_amber(std::string_view text, const std::string& file) {
  PlanBuilder builder(file);
  AmberScript script(text, file, builder);
  if (const Status read = script.read(); !read) return placed(read.errors(), script.where());
  return builder.finish();
}

}  // namespace transpire::launch
