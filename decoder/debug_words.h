// The words of a module without its debug information.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

namespace transpire::decoder {

/// Drops the imports of debug sets (decoder/extended_sets.h) and their instructions, with the names and decorations of these.
/// Nothing else refers to them. Lines (OpLine) and other names stay. Words that do not add up to instructions are given
/// back as they are.
std::vector<std::uint32_t> without_debug_info(std::span<const std::uint32_t> words);

/// The <id>s of the imports of debug sets.
std::unordered_set<std::uint32_t> debug_imports(std::span<const std::uint32_t> words);

/// Position of instruction `number`, counted from 1, among these words; their end if there is none.
std::size_t offset_with_debug_info(std::span<const std::uint32_t> words, std::size_t number);

}  // namespace transpire::decoder
