// Assembling for the oldest version that has what a text uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace transpire::decoder {

/// As assemble() in decoder/module.h, but a text that does not say its version may become one as old
/// as 1.`oldest`.
Result<std::vector<std::uint32_t>> assemble_from(std::size_t oldest, std::string_view text,
                                                 const std::string& input_name);

/// True if the text says its version, in a comment "; Version: 1.x" at the start of a line: the oldest that it may become.
bool says_version(std::string_view text);

}  // namespace transpire::decoder
