// Pipes as arguments: reads their words in the launch language, and makes the pipes.
//
//   pipe PACKET CAPACITY [CONTENTS]
//
//   pipe int4 64
//   pipe int4 64 data:(1,2,3,4),(5,6,7,8)
//   pipe 12 64 bytes:file:packets.bin
#pragma once

#include <string>
#include <string_view>

#include "launch/bind.h"

namespace transpire::launch {

/// Reads the text behind `pipe`. Fails with C0021, C0022 and C0043.
Status read_pipe_argument(ArgumentSpec& argument, std::string_view text);

/// Makes a pipe and fills it with packets. It is full if the contents give no number of packets. Fails with C0022, C0043,
/// L0004 and as evaluate() does.
Result<BoundBufferPointer> make_pipe(const std::string& name, const PipeDescription& description,
                                     const ValueSpec& contents, const Allowance& allowed);

/// Copies the packets in the pipe to `buffer.memory`. Fails with L0004.
Status look_at_packets(BoundBuffer& buffer);

/// The packet type in the source, if the launch language has it.
std::optional<TypeWord> packet_type_of(const ParameterInfo& parameter);

/// Text of an argument for the parameter: "pipe int4 1024".
std::string pipe_template(const ParameterInfo& parameter, std::uint64_t packets);

}  // namespace transpire::launch
