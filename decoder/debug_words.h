// The words of a module without its debug information.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace transpire::decoder {

/// Drops the instructions of OpenCL.DebugInfo.100 and of sets that say they mean nothing (NonSemantic), to which only
/// they themselves refer, with their names and decorations. Lines (OpLine) and other names stay. Words that do not add up to instructions are given back as they are.
std::vector<std::uint32_t> without_debug_info(std::span<const std::uint32_t> words);

/// Where instruction `number`, counted from 1, of those words stands among these; their end when there is none.
std::size_t offset_with_debug_info(std::span<const std::uint32_t> words, std::size_t number);

}  // namespace transpire::decoder
