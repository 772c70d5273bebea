// What the libFuzzer targets that read SPIR-V words share. words.cpp also holds the custom mutator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace transpire::fuzz {

/// The bytes with a bound of at most 2^14 in the header. Tables grow with the bound; a small one
/// keeps the targets quick. The limit itself has tests.
std::vector<std::uint8_t> bounded(const std::uint8_t* data, std::size_t size);

}  // namespace transpire::fuzz
