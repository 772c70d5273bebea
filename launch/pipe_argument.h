// Pipes as arguments: the words of the launch language, and what is made of them.
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

/// What follows after `pipe`. Fails with C0021, C0022 and C0043.
Status read_pipe_argument(ArgumentSpec& argument, std::string_view text);

/// A pipe with packets in it, which is full where the contents do not say how many there are. Fails with C0022, C0043,
/// L0004 and what evaluate() says.
Result<BoundBufferPointer> make_pipe(const std::string& name, const PipeDescription& description,
                                     const ValueSpec& contents, const Allowance& allowed);

/// Copies the packets that are left. Fails with L0004.
Status look_at_packets(BoundBuffer& buffer);

/// The packet's type as the source has it, where that is a type of the launch language.
std::optional<TypeWord> packet_type_of(const ParameterInfo& parameter);

/// "pipe int4 1024": how an argument for the parameter may be written.
std::string pipe_template(const ParameterInfo& parameter, std::uint64_t packets);

}  // namespace transpire::launch
