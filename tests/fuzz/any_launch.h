// Launches that nobody would write, of kernels that somebody did: an input's bytes decide sizes,
// kinds of arguments, offsets, limits and options, or are the text of a launch file. What must hold
// is checked on the way; a promise that does not ends the program.
#pragma once

#include <cstddef>
#include <cstdint>

namespace transpire::fuzz {

/// The most that one allocation may take while a launch runs whose limit of memory is lower than
/// that.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;

/// Runs what the bytes say, on each instruction set in turn.
void run_any(const std::uint8_t* data, std::size_t size);

}  // namespace transpire::fuzz
