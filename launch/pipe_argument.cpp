#include "launch/pipe_argument.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "launch/diagnose.h"
#include "launch/plan_builder.h"

namespace transpire::launch {
namespace {

constexpr const char* kExample = "write 'pipe int4 64', and then the packets that are in it";

/// A size that pipes have. What is too large for one is no good size either.
Result<std::uint32_t> read_size(std::string_view text, std::string_view what) {
  const auto size = parse_count(text, what);
  if (!size) return size.errors();
  if (*size == 0 || *size > UINT32_MAX)
    return command_error(
        kBadPipe, fmt::format("expected a {} of 1 to {}, found {}", what, UINT32_MAX, *size));
  return static_cast<std::uint32_t>(*size);
}

bool is_number(std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; }

/// A type, or bytes.
Status read_packet(PipeDescription& pipe, std::string_view word) {
  if (is_number(word)) {
    const auto bytes = read_size(word, "packet size");
    if (!bytes) return bytes.errors();
    pipe.packet_bytes = *bytes;
    return Unit{};
  }
  const auto type = parse_type(word);
  if (!type) return type.errors();
  pipe.type = *type;
  pipe.packet_bytes = static_cast<std::uint32_t>(type_of(*type).size_bytes);
  return Unit{};
}

/// Of a packet; bytes where no type is known.
TypeInfo type_of_packet(const PipeDescription& pipe) {
  if (pipe.type) return type_of(*pipe.type);
  TypeInfo type;
  type.kind = TypeInfo::Kind::kArray;
  type.spelling = fmt::format("uchar[{}]", pipe.packet_bytes);
  type.count = type.size_bytes = pipe.packet_bytes;
  type.elements = {byte_type()};
  return type;
}

/// Puts in what is written as contents.
Status fill(const Pipe& pipe, const ValueSpec& contents, const TypeInfo& packet,
            const Allowance& allowed) {
  const TypeInfo type = contents.type ? type_of(*contents.type) : packet;
  const std::uint64_t full = pipe.size_bytes() / stride_bytes(type);
  const bool is_known = packet.kind != TypeInfo::Kind::kArray;  // not merely a size
  const auto data = evaluate(
      contents, {&type, full, allowed.max_bytes, allowed.limit, {}, is_known ? &packet : nullptr});
  if (!data) return data.errors();
  return pipe.write(data->bytes);
}

}  // namespace

Status read_pipe_argument(ArgumentSpec& argument, std::string_view text) {
  argument.kind = ArgumentSpec::Kind::kPipe;
  const std::string_view packet = take_word(text);
  const std::string_view capacity = take_word(text);
  if (capacity.empty())
    return command_error(kBadLaunchFile,
                         "a pipe needs its packets' type or size, and how many it has room for",
                         kExample);
  PipeDescription& pipe = argument.pipe;
  if (const Status read = read_packet(pipe, packet); !read) return read;
  const auto most = read_size(capacity, "number of packets");
  if (!most) return most.errors();
  pipe.max_packets = *most;
  argument.value.maker = ValueSpec::Maker::kZero;
  argument.value.count = 0;
  if (text.empty()) return Unit{};
  auto contents = parse_value_spec(text);
  if (!contents) return contents.errors();
  if (!contents->undefined.empty() || contents->maker == ValueSpec::Maker::kUninit)
    return command_error(kBadValue, "what the host puts into a pipe is defined");
  if (contents->read_only || contents->write_only)
    return command_error(kBadValue, "the kernel's parameter says which end of a pipe it has");
  argument.value = std::move(contents).value();
  return Unit{};
}

Status look_at_packets(BoundBuffer& buffer) {
  buffer.memory = {};  // that of the launch before
  const auto packets = std::make_shared<std::vector<std::byte>>(buffer.pipe->contents());
  auto memory = Buffer::wrap(*packets, buffer.name, packets);
  if (!memory) return memory.errors();
  buffer.memory = std::move(memory).value();
  const auto count = static_cast<std::uint32_t>(packets->size() / buffer.pipe->packet_bytes());
  std::memcpy(buffer.count->memory.bytes().data(), &count, sizeof count);
  return Unit{};
}

Result<BoundBufferPointer> make_pipe(const std::string& name, const PipeDescription& description,
                                     const ValueSpec& contents, const Allowance& allowed) {
  const std::uint64_t needed =
      Pipe::bytes_needed(description.packet_bytes, description.max_packets);
  if (needed > allowed.max_bytes)
    return command_error(kMemoryLimit, fmt::format("pipe '{}' of {} bytes exceeds the limit of {}",
                                                   name, needed, allowed.max_bytes));
  auto pipe = Pipe::create(description.packet_bytes, description.max_packets, name);
  if (!pipe) return pipe.errors();
  const TypeInfo packet = type_of_packet(description);
  if (const Status filled = fill(*pipe, contents, packet, allowed.beside(needed)); !filled)
    return filled.errors();
  auto number = Buffer::create(sizeof(std::uint32_t), name + ".packets");
  if (!number) return number.errors();
  auto count = std::make_shared<BoundBuffer>();
  *count = {number->name(), type_of({ScalarType::kUint}), false, *number};
  auto bound = std::make_shared<BoundBuffer>();
  *bound = {name, packet, false, {}, {}, {}, *pipe, std::move(count)};
  if (const Status seen = look_at_packets(*bound); !seen) return seen.errors();
  return bound;
}

std::optional<TypeWord> packet_type_of(const ParameterInfo& parameter) {
  const auto type = type_word(parameter.source_type);
  const std::uint32_t bytes = parameter.pipe ? parameter.pipe->packet_bytes : 0;
  return type && (bytes == 0 || type_of(*type).size_bytes == bytes) ? type : std::nullopt;
}

std::string pipe_template(const ParameterInfo& parameter, std::uint64_t packets) {
  const bool is_typed = packet_type_of(parameter).has_value();
  const std::uint32_t bytes = parameter.pipe->packet_bytes;
  const std::string packet =
      is_typed ? parameter.source_type : fmt::to_string(bytes == 0 ? 4 : bytes);
  // What is to be read must be there.
  return fmt::format("pipe {} {}{}", packet, packets,
                     parameter.access == "read_only" ? " zero" : "");
}

}  // namespace transpire::launch
