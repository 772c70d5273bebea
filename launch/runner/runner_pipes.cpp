// Pipes of a run: copies the packets left, and describes unmet expectations. See launch/runner/runner.h.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "launch/report/diagnose.h"
#include "launch/runner/pipe_maker.h"
#include "launch/runner/runner.h"

namespace transpire::launch {
namespace {

/// The first few elements: "1, 2, 3".
std::string listed_elements(const TypeInfo& type, std::span<const std::byte> bytes) {
  constexpr std::uint64_t kShown = 8;
  const std::uint64_t stride = stride_bytes(type), count = bytes.size() / stride;
  std::string text;
  for (std::uint64_t i = 0; i < std::min(count, kShown); ++i)
    text += (i == 0 ? "" : " ") + format_value(type, bytes.subspan(i * stride));
  return count > kShown ? text + fmt::format(" and {} more", count - kShown) : text;
}

std::string packets_of(std::uint64_t count) {
  return fmt::format("{} packet{}", count, count == 1 ? "" : "s");
}

/// "'q[0..3]'", or "'q'" for the whole pipe.
std::string spelled_slice(const BufferSlice& slice) {
  if (slice.all) return fmt::format("'{}'", slice.name);
  if (!slice.last) return fmt::format("'{}[{}..]'", slice.name, slice.first);
  return *slice.last == slice.first
             ? fmt::format("'{}[{}]'", slice.name, slice.first)
             : fmt::format("'{}[{}..{}]'", slice.name, slice.first, *slice.last);
}

}  // namespace

/// Copies the packets of each pipe after a launch.
Status Runner::look_at_pipes() {
  std::set<const BoundBuffer*> seen;
  for (const auto& [name, buffer] : known_buffers()) {
    if (!buffer->pipe || !seen.insert(buffer.get()).second) continue;
    if (const Status done = look_at_packets(*buffer); !done) return done;
  }
  return Unit{};
}

std::uint64_t Runner::bytes_of_pipes() const {
  std::set<const void*> seen;
  std::uint64_t bytes = 0;
  for (const BufferTable* table : {&declared_, &of_arguments_})
    for (const auto& [name, buffer] : *table)
      if (buffer->pipe && seen.insert(buffer.get()).second) bytes += buffer->pipe->size_bytes();
  return bytes;
}

/// The failure of an expectation with another number of packets than are left.
Diagnostic Runner::wrong_packets(const ExpectBufferStep& expect, const View& view,
                                 std::uint64_t expected_bytes) const {
  const BoundBufferPointer buffer = find_buffer(expect.slice.name);
  const std::span<const std::byte> bytes = buffer->memory.bytes();
  const std::uint32_t packet = buffer->pipe->packet_bytes();
  const std::uint64_t left = bytes.size() / packet;
  const std::uint64_t wanted = expected_bytes / packet;
  const std::string expected = expect.slice.all ? packets_of(wanted) : spelled_slice(expect.slice);
  const bool is_one = expect.slice.all ? wanted == 1 : view.asked == 1;
  Diagnostic failure = command_error(
      kExpectationUnmet,
      fmt::format("{} {} left in pipe '{}', {} {} expected", packets_of(left),
                  left == 1 ? "is" : "are", view.name, expected, is_one ? "was" : "were"),
      fmt::format("'expect {}{} = {}' is about their number alone", view.name, kPacketsOf, left));
  if (left != 0) failure.notes.push_back("left: " + listed_elements(buffer->type, bytes));
  return failure;
}

}  // namespace transpire::launch
