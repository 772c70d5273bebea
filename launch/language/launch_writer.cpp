#include "launch/language/launch_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "launch/language/image_argument.h"
#include "launch/language/shell_words.h"
#include "launch/report/diagnose.h"
#include "launch/report/text.h"

namespace transpire::launch {
namespace {

using Maker = ValueSpec::Maker;

std::string type_text(const TypeWord& type) {
  std::string text(name_of(type.scalar));
  return type.components == 1 ? text : text + fmt::to_string(type.components);
}

std::string list_text(const std::vector<Literal>& literals) {
  std::string text;
  for (const Literal& literal : literals) {
    if (!text.empty()) text += ',';
    if (!literal.name.empty()) text += literal.name + '=';
    text += literal.is_list ? '(' + list_text(literal.items) + ')' : literal.number;
  }
  return text;
}

std::string_view word_of(Maker maker) {
  switch (maker) {
    case Maker::kLiterals:
      return {};
    case Maker::kZero:
      return "zero";
    case Maker::kFill:
      return "fill";
    case Maker::kRange:
      return "range";
    case Maker::kRandom:
      return "random";
    case Maker::kData:
      return "data";
    case Maker::kHex:
      return "hex";
    case Maker::kFile:
    case Maker::kPicture:
      return "file";
    case Maker::kNpy:
      return "npy";
    case Maker::kUninit:
      return "uninit";
  }
  return {};
}

/// The maker's parameters, each behind a colon.
std::string parameters_text(const ValueSpec& value) {
  std::string text;
  switch (value.maker) {
    case Maker::kNpy:
      text = ':' + value.file;
      return value.converted_to ? text + " as " + type_text(*value.converted_to) : text;
    case Maker::kFile:
    case Maker::kPicture:
      return ':' + value.file;
    case Maker::kData:
    case Maker::kHex:
      return ':' + list_text(value.literals);
    case Maker::kRandom:
      text = fmt::format(":{}", value.seed);
      break;
    default:
      break;
  }
  for (const Literal& literal : value.literals) text += ':' + list_text({literal});
  return value.count ? text + fmt::format(":{}", *value.count) : text;
}

std::string sizes_text(const std::array<std::uint64_t, 3>& sizes, std::uint32_t dimensions) {
  std::string text;
  for (std::uint32_t i = 0; i < dimensions && i < 3; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ",", sizes[i]);
  return text;
}

/// Text of a range of a buffer, without its keyword.
std::string reference_text(const BufferReference& buffer) {
  std::string text = buffer.name;
  // A slice always gives its offset, even 0.
  if (buffer.offset_bytes != 0 || buffer.size_bytes)
    text += fmt::format(" offset {}", buffer.offset_bytes);
  if (buffer.size_bytes) text += fmt::format(" size {}", *buffer.size_bytes);
  return text + (buffer.read_only ? " readonly" : buffer.write_only ? " writeonly" : "");
}

std::string reference_text(const SharedReference& shared) {
  if (shared.name.empty()) return fmt::format("{:#x}", shared.address);
  if (shared.offset_bytes == 0) return shared.name;
  return fmt::format("{} offset {}", shared.name, shared.offset_bytes);
}

/// "image 2d RGBA UNORM_INT8 4x4 uchar4:zero"
std::string image_text(const ImageDescription& image, const ValueSpec& contents) {
  const bool is_picture = contents.maker == ValueSpec::Maker::kPicture;
  std::string text =
      fmt::format("image {} {} {} {}", image_dim_name(image.dim), image.channel_order,
                  image.channel_type, is_picture ? "file:" + contents.file : size_text(image));
  if (image.levels > 1) text += fmt::format(" levels {}", image.levels);
  if (image.samples > 1) text += fmt::format(" samples {}", image.samples);
  if (image.row_pitch != 0) text += fmt::format(" row_pitch {}", image.row_pitch);
  if (image.slice_pitch != 0) text += fmt::format(" slice_pitch {}", image.slice_pitch);
  if (!is_picture) return text + ' ' + value_text(contents);
  if (contents.read_only) text += " readonly";
  return contents.write_only ? text + " writeonly" : text;
}

/// "pipe int4 64", "pipe 12 64 bytes:zero:24"
std::string pipe_text(const PipeDescription& pipe, const ValueSpec& contents) {
  const std::string packet = pipe.type ? type_text(*pipe.type) : fmt::to_string(pipe.packet_bytes);
  const std::string text = fmt::format("pipe {} {}", packet, pipe.max_packets);
  const bool is_empty = contents.maker == Maker::kZero && contents.count == 0;
  return is_empty ? text : text + ' ' + value_text(contents);
}

std::string argument_text(const ArgumentSpec& argument) {
  switch (argument.kind) {
    case ArgumentSpec::Kind::kValue:
      return value_text(argument.value);
    case ArgumentSpec::Kind::kBuffer:
      return "buffer " + reference_text(argument.buffer);
    case ArgumentSpec::Kind::kLocal:
      return fmt::format("local:{}", argument.local_bytes);
    case ArgumentSpec::Kind::kShared:
      return "shared " + reference_text(argument.shared);
    case ArgumentSpec::Kind::kImage:
      return image_text(argument.image, argument.value);
    case ArgumentSpec::Kind::kSampler:
      return "sampler " + argument.sampler.words();
    case ArgumentSpec::Kind::kPipe:
      return pipe_text(argument.pipe, argument.value);
    case ArgumentSpec::Kind::kQueue:
      return argument.queue.empty() ? "queue" : "queue " + argument.queue;
    case ArgumentSpec::Kind::kNull:
    case ArgumentSpec::Kind::kSim:
      break;
  }
  return "null";
}

}  // namespace

std::string value_text(const ValueSpec& value) {
  std::string text;
  if (value.raw_bytes)
    text = "bytes:";
  else if (value.type)
    text = type_text(*value.type) + ':';
  if (value.maker == Maker::kLiterals)
    text += list_text(value.literals);
  else
    text += std::string(word_of(value.maker)) + parameters_text(value);
  if (value.any_type && !value.raw_bytes) text += ":raw";
  text += value.read_only ? " readonly" : value.write_only ? " writeonly" : "";
  const char* before = " undefined ";
  for (const ByteRange& range : value.undefined) {
    text += fmt::format("{}{}..{}", before, range.first, range.last);
    before = ",";
  }
  return text;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (byte < 0x20 || byte >= 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + "\"";
}

bool is_writable_name(std::string_view name) {
  return !name.empty() && name == trimmed(name) &&
         name.find_first_of("#\"") == std::string_view::npos &&
         std::none_of(name.begin(), name.end(), is_control);
}

namespace {

ValueSpec of_bytes(Maker maker) {
  ValueSpec value;
  value.maker = maker;
  value.type = TypeWord{ScalarType::kUchar, 1};
  value.raw_bytes = value.any_type = true;
  return value;
}

}  // namespace

ValueSpec zero_bytes(std::size_t count) {
  ValueSpec value = of_bytes(Maker::kZero);
  value.count = count;
  return value;
}

ValueSpec raw_bytes(std::span<const std::byte> bytes) {
  ValueSpec value = of_bytes(Maker::kHex);
  std::string digits;
  for (const std::byte b : bytes) digits += fmt::format("{:02x}", static_cast<unsigned>(b));
  value.literals.push_back({std::move(digits), {}, false});
  return value;
}

ValueSpec bytes_of_file(std::string file) {
  ValueSpec value = of_bytes(Maker::kFile);
  value.file = std::move(file);
  return value;
}

void LaunchWriter::comment(std::string_view text) { line("# " + one_line(text)); }

namespace {

std::string path_text(std::string_view path) {
  return is_writable_name(path) ? std::string(path) : in_quotes(path);
}

}  // namespace

void LaunchWriter::module(std::string_view path) { line("module " + path_text(path)); }

void LaunchWriter::suppress(std::string_view what) { line("suppress " + path_text(what)); }

Status LaunchWriter::options(const std::vector<std::string>& words) {
  if (words.empty()) return Unit{};
  std::string text = "options";
  for (const std::string& word : words) {
    if (word.find('\n') != std::string::npos)
      return command_error(kBadValue,
                           fmt::format("the option {} has a line end, which no launch file can say",
                                       in_quotes(word)),
                           "the JSON form of launch files can");
    text += ' ' + shell_word(word);
  }
  line(text);
  return Unit{};
}

void LaunchWriter::specialise(const SpecialisationSpec& constant) {
  line(fmt::format("spec {} = {}", constant.target, value_text(constant.value)));
}

void LaunchWriter::memory(const BufferSpec& memory) {
  switch (memory.kind) {
    case BufferSpec::Kind::kContents:
      return line(fmt::format("buffer {} = {}", memory.name, value_text(memory.value)));
    case BufferSpec::Kind::kSlice:
      return line(fmt::format("buffer {} = buffer {}", memory.name, reference_text(memory.slice)));
    case BufferSpec::Kind::kShared:
      return line(fmt::format("shared {} at {:#x} = {}", memory.name, memory.address,
                              value_text(memory.value)));
    case BufferSpec::Kind::kImage:
      return line(
          fmt::format("buffer {} = {}", memory.name, image_text(memory.image, memory.value)));
    case BufferSpec::Kind::kPipe:
      return line(fmt::format("buffer {} = {}", memory.name, pipe_text(memory.pipe, memory.value)));
    case BufferSpec::Kind::kVariable:
      return line(fmt::format("variable {} = {}", memory.name, value_text(memory.value)));
  }
}

void LaunchWriter::queue(const QueueSpec& queue) {
  std::string text = "queue " + queue.name;
  if (queue.size_bytes) text += fmt::format(" {}", *queue.size_bytes);
  if (queue.handle) text += fmt::format(" handle {}", *queue.handle);
  line(text);
}

void LaunchWriter::default_queue(std::string_view name) {
  line(fmt::format("default-queue {}", name));
}

void LaunchWriter::kernel(std::string_view name) { line(fmt::format("kernel {}", name)); }

void LaunchWriter::setting(std::string_view words) { line(words); }

void LaunchWriter::argument(const ArgumentSpec& argument, std::string_view comment) {
  constexpr std::string_view kWords[] = {"arg", "bind", "push"};
  line(fmt::format("{} {} = {}{}{}", kWords[static_cast<std::size_t>(argument.form)],
                   argument.target, argument_text(argument), comment.empty() ? "" : "  # ",
                   one_line(comment)));
}

void LaunchWriter::global(const SizeList& sizes) {
  line("global " + sizes_text(sizes.size, sizes.dimensions));
}

void LaunchWriter::local(const SizeList& sizes) {
  line("local " + (sizes.dimensions == 0 ? "auto" : sizes_text(sizes.size, sizes.dimensions)));
}

void LaunchWriter::groups(const SizeList& sizes) {
  line("groups " + sizes_text(sizes.size, sizes.dimensions));
}

void LaunchWriter::offset(const SizeList& sizes) {
  line("offset " + sizes_text(sizes.size, sizes.dimensions));
}

void LaunchWriter::repeat(std::uint64_t count,
                          std::span<const std::pair<std::string, std::string>> swaps) {
  std::string text = fmt::format("repeat {}", count);
  for (const auto& [a, b] : swaps) text += fmt::format(" swap {} {}", a, b);
  line(text);
}

void LaunchWriter::launch() { line("launch"); }

void LaunchWriter::expect_value(std::string_view name, const ValueSpec& value) {
  line(fmt::format("expect {} = {}", name, value_text(value)));
}

void LaunchWriter::expect_printf(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    line("expect printf " + in_quotes(text.substr(0, end)));
    text.remove_prefix(end);
  }
}

void LaunchWriter::expect(const ExpectedFault& fault) {
  std::string text = "expect fault " + fault.rule;
  const bool is_word = fault.buffer.find_first_of(" \t") == std::string::npos;
  if (!fault.buffer.empty()) text += " on " + (is_word ? fault.buffer : in_quotes(fault.buffer));
  if (fault.at) text += " at " + sizes_text(*fault.at, 3);
  if (fault.line != 0) text += fmt::format(" line {}", fault.line);
  if (fault.line != 0 && fault.column != 0) text += fmt::format(":{}", fault.column);
  line(text);
}

void LaunchWriter::expect(const ExpectedRefusal& refusal) {
  line("expect refused " + refusal.rule);
}

}  // namespace transpire::launch
