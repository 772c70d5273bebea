// A compiled module as words, for what is changed in it before anybody else sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>
#include <vector>

#include "decoder/raw_instructions.h"

namespace transpire::compiler {

using Words = std::span<const std::uint32_t>;

inline std::vector<std::uint32_t> words_of(std::span<const std::byte> module) {
  std::vector<std::uint32_t> words(module.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), module.data(), words.size() * 4);
  return words;
}

inline std::vector<std::byte> bytes_of(Words words) {
  const auto bytes = std::as_bytes(words);
  return {bytes.begin(), bytes.end()};
}

inline spv::Op op_of(Words instruction) { return static_cast<spv::Op>(instruction[0] & 0xffff); }

/// The literal string that begins there.
inline std::string_view text_of(Words words) {
  const char* const text = reinterpret_cast<const char*>(words.data());
  return {text, strnlen(text, words.size_bytes())};
}

/// Calls `take` with every instruction; false when their word counts do not add up.
template <class Take>
bool each_instruction(Words words, Take take) {
  return decoder::for_each_instruction(
      words, [&](std::size_t at, std::size_t count) { take(words.subspan(at, count)); });
}

inline void append(std::vector<std::uint32_t>& words, spv::Op op, Words operands) {
  words.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 |
                  static_cast<std::uint32_t>(op));
  words.insert(words.end(), operands.begin(), operands.end());
}

}  // namespace transpire::compiler
