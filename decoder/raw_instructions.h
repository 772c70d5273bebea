// Walking over a module's words where nothing but opcodes and word counts is known: before decoding, and for
// rewriting modules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace transpire::decoder {

/// Words of a module's header.
inline constexpr std::size_t kHeaderWords = 5;

/// Calls `visit(offset, count)` for each instruction, as far as word counts add up. False when they do not
/// up to the end.
template <class Visit>
bool for_each_instruction(std::span<const std::uint32_t> words, Visit visit) {
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) return false;
    visit(at, count);
    at += count;
  }
  return true;
}

}  // namespace transpire::decoder
