// Pipes as arguments: reads and writes their words in the launch language.
//
//   pipe PACKET CAPACITY [CONTENTS]
//
//   pipe int4 64
//   pipe int4 64 data:(1,2,3,4),(5,6,7,8)
//   pipe 12 64 bytes:file:packets.bin
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "launch/language/launch_plan.h"

namespace transpire::launch {

/// Reads the text behind `pipe`. Fails with C0021, C0022 and C0043.
Status read_pipe_argument(ArgumentSpec& argument, std::string_view text);
/// Makes an argument of an empty pipe: `packet` is a type or a number of bytes. Fails with C0022 and C0043.
Status read_pipe(ArgumentSpec& argument, std::string_view packet, std::string_view capacity);
/// Fills a pipe with its first packets. Fails with C0022.
Status fill_pipe(ArgumentSpec& argument, ValueSpec contents);

/// The packet type in the source, if the launch language has it.
std::optional<TypeWord> packet_type_of(const ParameterInfo& parameter);

/// Text of an argument for the parameter: "pipe int4 1024".
std::string pipe_template(const ParameterInfo& parameter, std::uint64_t packets);

}  // namespace transpire::launch
