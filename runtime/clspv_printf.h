// Text that shaders of clspv leave in a buffer, in place of printf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/work_limit.h"
#include "decoder/clspv_reflection.h"

namespace transpire::runtime {

struct PrintedText {
  std::string text;
  std::string_view cut_by;  ///< the reason why there is more text than this; empty if there is none
};

/// The text in a buffer that launches of a shader have filled. It has 32-bit words: the number of words that work-items asked for
/// behind it, then what each call left: the number of its PrintfInfo and its arguments. Texts stand in the order in which
/// work-items asked for their words. An argument of n bytes takes n / 4 words, a call the words of all its arguments' bytes.
PrintedText read_clspv_printf(const decoder::Module& module,
                              const decoder::ClspvReflection& reflection,
                              std::span<const std::byte> buffer, std::uint64_t most_bytes,
                              const WorkLimit& limit = WorkLimit());

}  // namespace transpire::runtime
