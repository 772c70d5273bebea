// From assembly text to the words that are validated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace transpire::validator {

/// A text that does not say its version ("; Version: 1.x") gets the oldest one that has everything in
/// it. Errors: D0040.
Result<std::vector<std::uint32_t>> assemble_text(std::string_view text,
                                                 const std::string& input_name);

}  // namespace transpire::validator
