// Values for descriptors of shaders to which a launch binds nothing. They lead nowhere, and findings read the number of the argument
// from them.
#pragma once

#include <bit>
#include <cstdint>

namespace transpire::memory {

/// The bytes below the first slot, which are in no allocation: in their lower half each of the launch's arguments has a part. A null buffer's
/// address is the middle of its part.
struct NullBuffers {
  std::uint32_t part_shift;
  constexpr NullBuffers(std::uint64_t arguments, std::uint32_t slot_shift)
      : part_shift(slot_shift - 1 - static_cast<std::uint32_t>(std::bit_width(arguments))) {}
  constexpr std::uint64_t address(std::uint64_t argument) const {
    return (2 * argument + 1) << (part_shift - 1);
  }
  /// The number of the argument, for an access less than half a part away from its address; others give another argument's, or none.
  constexpr std::uint64_t argument(std::uint64_t address) const { return address >> part_shift; }
};

/// A handle that is no image.
constexpr std::uint64_t null_image(std::uint64_t argument) { return argument + 1; }
constexpr std::uint64_t argument_of_image(std::uint64_t handle) { return handle - 1; }

/// A word without a sampler's mark, and null_image() of the argument in it.
constexpr std::uint64_t null_sampler(std::uint64_t argument) { return null_image(argument) << 14; }
constexpr std::uint64_t handle_in_sampler(std::uint64_t word) { return word >> 14; }

}  // namespace transpire::memory
