#include "launch/language/pipe_argument.h"

#include <fmt/format.h>

#include "launch/language/grammar.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

constexpr const char* kExample = "write 'pipe int4 64', and then the packets that are in it";

/// Reads a size that pipes may have: 1 to UINT32_MAX.
Result<std::uint32_t> read_size(std::string_view text, std::string_view what) {
  const auto size = parse_count(text, what);
  if (!size) return size.errors();
  if (*size == 0 || *size > UINT32_MAX)
    return command_error(
        kBadPipe, fmt::format("expected a {} of 1 to {}, found {}", what, UINT32_MAX, *size));
  return static_cast<std::uint32_t>(*size);
}

bool is_number(std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; }

/// Reads the size of a packet: a type, or a number of bytes.
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

}  // namespace

Status read_pipe(ArgumentSpec& argument, std::string_view packet, std::string_view capacity) {
  argument.kind = ArgumentSpec::Kind::kPipe;
  PipeDescription& pipe = argument.pipe;
  if (const Status read = read_packet(pipe, packet); !read) return read;
  const auto most = read_size(capacity, "number of packets");
  if (!most) return most.errors();
  pipe.max_packets = *most;
  argument.value.maker = ValueSpec::Maker::kZero;
  argument.value.count = 0;
  return Unit{};
}

Status fill_pipe(ArgumentSpec& argument, ValueSpec contents) {
  if (!contents.undefined.empty() || contents.maker == ValueSpec::Maker::kUninit)
    return command_error(kBadValue, "what the host puts into a pipe is defined");
  if (contents.read_only || contents.write_only)
    return command_error(kBadValue, "the kernel's parameter says which end of a pipe it has");
  argument.value = std::move(contents);
  return Unit{};
}

Status read_pipe_argument(ArgumentSpec& argument, std::string_view text) {
  const std::string_view packet = take_word(text);
  const std::string_view capacity = take_word(text);
  if (capacity.empty())
    return command_error(kBadLaunchFile,
                         "a pipe needs its packets' type or size, and how many it has room for",
                         kExample);
  if (const Status read = read_pipe(argument, packet, capacity); !read || text.empty()) return read;
  auto contents = parse_value_spec(text);
  if (!contents) return contents.errors();
  return fill_pipe(argument, std::move(contents).value());
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
  // A kernel that reads from the pipe needs packets in it.
  return fmt::format("pipe {} {}{}", packet, packets,
                     parameter.access == "read_only" ? " zero" : "");
}

}  // namespace transpire::launch
