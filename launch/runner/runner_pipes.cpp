// Describes unmet expectations of packets: see launch/runner/runner.h.
#include <fmt/format.h>

#include <algorithm>

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

/// The failure of an expectation with another number of packets than are left.
Diagnostic Runner::wrong_packets(const ExpectBufferStep& expect, const ElementView& view,
                                 std::uint64_t expected_bytes) const {
  const BoundBufferPointer buffer = view.buffer;
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
