// Words that SPIRV-Tools can read. Translators write debug instructions with operands that its
// parser refuses (a storage class of -1, for one), which must not keep a module from being
// disassembled, linked or validated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace transpire::decoder {

/// Where the n-th instruction (from 1) starts, as SPIRV-Tools counts in its messages; 0 for the
/// header.
std::size_t offset_of_instruction(std::span<const std::uint32_t> words, std::size_t number);

struct ReadableWords {
  std::vector<std::uint32_t> words;
  std::uint32_t blanked = 0;  ///< instructions that stand as OpNop now
};

/// A copy in which debug instructions of the kinds that SPIRV-Tools cannot read, and hints and instructions that are newer than it, are
/// overwritten by OpNop, word by word, so that offsets stay. Other errors are left in place.
ReadableWords readable_words(std::span<const std::uint32_t> words);

/// A copy without any instruction of the debug sets, when SPIRV-Tools cannot read some of them;
/// else the words as they are.
std::vector<std::uint32_t> without_unreadable_debug(std::span<const std::uint32_t> words);

}  // namespace transpire::decoder
