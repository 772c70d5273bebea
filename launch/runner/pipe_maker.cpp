#include "launch/runner/pipe_maker.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "launch/report/diagnose.h"
#include "launch/runner/value_maker.h"

namespace transpire::launch {
namespace {

/// Type of a packet; an array of bytes if only its size is known.
TypeInfo type_of_packet(const PipeDescription& pipe) {
  if (pipe.type) return type_of(*pipe.type);
  TypeInfo type;
  type.kind = TypeInfo::Kind::kArray;
  type.spelling = fmt::format("uchar[{}]", pipe.packet_bytes);
  type.count = type.size_bytes = pipe.packet_bytes;
  type.elements = {byte_type()};
  return type;
}

/// Writes the contents into the pipe.
Status fill(const Pipe& pipe, const ValueSpec& contents, const TypeInfo& packet,
            const Allowance& allowed) {
  const TypeInfo type = contents.type ? type_of(*contents.type) : packet;
  const std::uint64_t full = pipe.size_bytes() / stride_bytes(type);
  const bool is_known =
      packet.kind != TypeInfo::Kind::kArray;  // false: only the size of a packet is known
  const auto data = evaluate(
      contents, {&type, full, allowed.max_bytes, allowed.limit, {}, is_known ? &packet : nullptr});
  if (!data) return data.errors();
  return pipe.write(data->bytes);
}

}  // namespace

Status look_at_packets(BoundBuffer& buffer) {
  buffer.memory = {};  // frees the copy from the previous launch
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

}  // namespace transpire::launch
