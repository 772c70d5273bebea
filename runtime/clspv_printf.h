// Text that shaders of clspv leave in a buffer, in place of printf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "decoder/clspv_reflection.h"

namespace transpire::runtime {

struct PrintedText {
  std::string text;
  bool is_whole =
      true;  ///< false: the buffer had no room for all of it, or there is more than the most that was asked for
};

/// The text in a buffer that launches of a shader have filled. It has 32-bit words: the number of words that work-items asked for
/// behind it, then what each call left: the number of its PrintfInfo and its arguments. Texts stand in the order in which
/// work-items asked for their words.
PrintedText read_clspv_printf(const decoder::Module& module,
                              const decoder::ClspvReflection& reflection,
                              std::span<const std::byte> buffer, std::uint64_t most_bytes);

}  // namespace transpire::runtime
