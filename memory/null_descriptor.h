// Values for descriptors of shaders to which a launch binds nothing. They lead nowhere, and findings read the number of the argument
// from them.
#pragma once

#include <cstdint>

namespace transpire::memory {

/// A null buffer's address lies below the first slot, so that the bytes behind it are in no allocation. Arguments beyond the 2^13th have
/// address 0.
constexpr std::uint64_t null_buffer(std::uint64_t argument, std::uint32_t slot_shift) {
  const std::uint64_t address = (argument + 1) << (slot_shift - 13);
  return address >> slot_shift == 0 ? address : 0;
}
/// The number of the argument, for an access to its first 2^slot_shift / 2^13 bytes; others give a number that means nothing.
constexpr std::uint64_t argument_of_buffer(std::uint64_t address, std::uint32_t slot_shift) {
  return (address >> (slot_shift - 13)) - 1;
}

/// A handle that is no image.
constexpr std::uint64_t null_image(std::uint64_t argument) { return argument + 1; }
constexpr std::uint64_t argument_of_image(std::uint64_t handle) { return handle - 1; }

/// A word without a sampler's mark, and null_image() of the argument in it.
constexpr std::uint64_t null_sampler(std::uint64_t argument) { return null_image(argument) << 14; }
constexpr std::uint64_t handle_in_sampler(std::uint64_t word) { return word >> 14; }

}  // namespace transpire::memory
