// Makes pipes that arguments describe, with their packets.
#pragma once

#include <string>
#include <string_view>

#include "launch/runner/bind.h"

namespace transpire::launch {

/// Suffix of a pipe's name: `queue.packets` is the number of packets in the pipe `queue`.
inline constexpr std::string_view kPacketsOf = ".packets";
/// The name without that suffix.
inline std::string without_packets(const std::string& name) {
  const std::size_t end =
      name.ends_with(kPacketsOf) ? name.size() - kPacketsOf.size() : name.size();
  return name.substr(0, end);
}

/// Makes a pipe and fills it with packets. It is full if the contents give no number of packets. Fails with C0022, C0043,
/// L0004 and as evaluate() does.
Result<BoundBufferPointer> make_pipe(const std::string& name, const PipeDescription& description,
                                     const ValueSpec& contents, const Allowance& allowed);

/// Copies the packets in the pipe to `buffer.memory`. Fails with L0004.
Status look_at_packets(BoundBuffer& buffer);

}  // namespace transpire::launch
