// Pipes as the host sees them.
#include "transpire/pipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/rule.h"
#include "memory/pipe.h"
#include "runtime/state.h"

namespace transpire {

Result<Pipe> Pipe::create(std::uint32_t packet_bytes, std::uint32_t max_packets, std::string name) {
  if (packet_bytes == 0 || max_packets == 0)
    return make_diagnostic(
        Rule::kC0043, fmt::format("expected a pipe of at least one packet of at least one byte, "
                                  "found {} packets of {} bytes",
                                  max_packets, packet_bytes));
  auto state = std::make_shared<runtime::BufferState>();
  state->pipe = memory::Pipe::make(packet_bytes, max_packets);
  if (state->pipe == nullptr)
    return make_diagnostic(
        Rule::kL0004, fmt::format("no memory for {} packets of {} bytes of pipe '{}'", max_packets,
                                  packet_bytes, name));
  state->size_bytes = bytes_needed(packet_bytes, max_packets);
  state->name = std::move(name);
  Pipe pipe;
  pipe.state_ = std::move(state);
  return pipe;
}

std::uint32_t Pipe::packet_bytes() const { return state_->pipe->packet_bytes(); }

std::uint32_t Pipe::max_packets() const { return state_->pipe->max_packets(); }

std::uint32_t Pipe::packets() const {
  const auto lock = state_->pipe->lock();
  return state_->pipe->available();
}

const std::string& Pipe::name() const { return state_->name; }

Status Pipe::write(std::span<const std::byte> packets) const {
  memory::Pipe& pipe = *state_->pipe;
  const std::size_t bytes = pipe.packet_bytes(), count = packets.size() / bytes;
  const auto lock = pipe.lock();
  if (packets.size() % bytes != 0 || count > pipe.room())
    return make_diagnostic(
        Rule::kC0043,
        fmt::format(
            "expected packets of {} bytes, at most {} of them, found {} bytes for pipe '{}'", bytes,
            pipe.room(), packets.size(), state_->name));
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(pipe.next_free(), packets.data() + i * bytes, bytes);
    pipe.push();
  }
  return Unit{};
}

std::vector<std::byte> Pipe::contents() const {
  const memory::Pipe& pipe = *state_->pipe;
  const auto lock = pipe.lock();
  std::vector<std::byte> bytes(std::size_t{pipe.available()} * pipe.packet_bytes());
  pipe.copy(pipe.available(), bytes.data());
  return bytes;
}

std::vector<std::byte> Pipe::read(std::uint32_t packets) const {
  memory::Pipe& pipe = *state_->pipe;
  const auto lock = pipe.lock();
  const std::uint32_t count = std::min(packets, pipe.available());
  std::vector<std::byte> bytes(std::size_t{count} * pipe.packet_bytes());
  pipe.copy(count, bytes.data());
  pipe.drop(count);
  return bytes;
}

void Pipe::clear() const {
  const auto lock = state_->pipe->lock();
  state_->pipe->clear();
}

bool takes(const PipeParameterInfo& parameter, const Pipe& pipe) {
  return parameter.packet_bytes == 0 || parameter.packet_bytes == pipe.packet_bytes();
}

Argument Argument::pipe(Pipe pipe) {
  Argument argument;
  argument.kind = Kind::kPipe;
  argument.packets = std::move(pipe);
  return argument;
}

}  // namespace transpire
