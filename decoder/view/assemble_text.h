// From assembly text to words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "decoder/view/viewed_module.h"

namespace transpire::decoder::view {

struct AssembledText {
  std::vector<std::uint32_t> words;
  ViewedModule module;  ///< a view of `words`; remains valid when the vector moves
};

/// A text that does not say its version ("; Version: 1.x") gets the oldest one that has everything in
/// it. The text must outlive the result. Errors: D0040.
Result<AssembledText> assemble_text(std::string_view text, const std::string& input_name);

}  // namespace transpire::decoder::view
