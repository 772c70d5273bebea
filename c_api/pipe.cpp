// The C interface: pipes.
#include <algorithm>
#include <cstring>

#include "c_api/c_api.h"

struct transpire_pipe {
  transpire::Pipe pipe;
};

namespace transpire::c_api {
namespace {

/// Number of packets that fit into this many bytes.
std::uint32_t packets_in(std::uint64_t size_bytes, const Pipe& pipe) {
  const std::uint64_t count = size_bytes / pipe.packet_bytes();
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, UINT32_MAX));
}

/// Copies no more bytes than there are, or than there is room for.
void hand_out(const std::vector<std::byte>& packets, const Pipe& pipe, std::uint32_t most, void* to,
              std::uint32_t* count) {
  const std::size_t bytes = pipe.packet_bytes();
  const std::size_t given = std::min<std::size_t>(packets.size() / bytes, most);
  if (given != 0) std::memcpy(to, packets.data(), given * bytes);
  if (count != nullptr) *count = static_cast<std::uint32_t>(given);
}

}  // namespace
}  // namespace transpire::c_api

using namespace transpire;
using c_api::guarded;
using c_api::text_or_empty;

transpire_status transpire_pipe_create(uint32_t packet_bytes, uint32_t max_packets,
                                       const char* name, transpire_pipe** pipe,
                                       transpire_error** error) {
  c_api::clear(pipe);
  return guarded(__func__, error, {{"pipe", pipe}}, [&]() -> Status {
    TRANSPIRE_TRY(Pipe created, Pipe::create(packet_bytes, max_packets, text_or_empty(name)));
    *pipe = new transpire_pipe{std::move(created)};
    return Unit{};
  });
}

void transpire_pipe_release(transpire_pipe* pipe) { delete pipe; }

transpire_status transpire_pipe_get_sizes(const transpire_pipe* pipe, uint32_t* packet_bytes,
                                          uint32_t* max_packets, uint32_t* packets,
                                          transpire_error** error) {
  return guarded(__func__, error, {{"pipe", pipe}}, [&]() -> Status {
    if (packet_bytes != nullptr) *packet_bytes = pipe->pipe.packet_bytes();
    if (max_packets != nullptr) *max_packets = pipe->pipe.max_packets();
    if (packets != nullptr) *packets = pipe->pipe.packets();
    return Unit{};
  });
}

transpire_status transpire_pipe_write(const transpire_pipe* pipe, const void* packets,
                                      uint64_t size_bytes, transpire_error** error) {
  return guarded(__func__, error, {{"pipe", pipe}, {"packets", packets}}, [&]() -> Status {
    if (const Status fits = c_api::check_memory(packets, size_bytes); !fits) return fits;
    return pipe->pipe.write({static_cast<const std::byte*>(packets), size_bytes});
  });
}

transpire_status transpire_pipe_read(const transpire_pipe* pipe, void* packets, uint64_t size_bytes,
                                     uint32_t* count, transpire_error** error) {
  return guarded(__func__, error, {{"pipe", pipe}, {"packets", packets}}, [&]() -> Status {
    const Pipe& from = pipe->pipe;
    const std::uint32_t most = c_api::packets_in(size_bytes, from);
    c_api::hand_out(from.read(most), from, most, packets, count);
    return Unit{};
  });
}

transpire_status transpire_pipe_get_contents(const transpire_pipe* pipe, void* packets,
                                             uint64_t size_bytes, uint32_t* count,
                                             transpire_error** error) {
  return guarded(__func__, error, {{"pipe", pipe}, {"packets", packets}}, [&]() -> Status {
    const Pipe& from = pipe->pipe;
    c_api::hand_out(from.contents(), from, c_api::packets_in(size_bytes, from), packets, count);
    return Unit{};
  });
}

transpire_status transpire_pipe_clear(const transpire_pipe* pipe, transpire_error** error) {
  return guarded(__func__, error, {{"pipe", pipe}}, [&]() -> Status {
    pipe->pipe.clear();
    return Unit{};
  });
}

transpire_status transpire_launch_set_pipe(transpire_launch* launch, size_t index,
                                           const transpire_pipe* pipe, transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}, {"pipe", pipe}}, [&] {
    return c_api::set_argument(*launch, index, [&] { return Argument::pipe(pipe->pipe); });
  });
}
