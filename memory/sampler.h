// Samplers: how an image is sampled. In a kernel a sampler is a value of 64 bits:
//
//     | lod_max 24 | lod_min 24 | mark 8 | 0 2 | mip_filter 1 | filter 1 | normalized 1 | addressing 3 |
//
// Levels of detail are floats without sign and the last 7 bits of the mantissa. The mark tells a sampler from other numbers.
#pragma once

#include <cstdint>
#include <optional>

#include "memory/translate.h"

namespace transpire::memory {

/// The value is SPIR-V's Sampler Addressing Mode.
enum class AddressingMode : std::uint8_t { kNone, kClampToEdge, kClamp, kRepeat, kMirroredRepeat };

/// The value is SPIR-V's Sampler Filter Mode.
enum class FilterMode : std::uint8_t { kNearest, kLinear };

/// The greatest level of detail that a sampler's value can say.
inline constexpr float kMostLod = 0x1.ffffp127f;

struct Sampler {
  AddressingMode addressing = AddressingMode::kNone;
  bool normalized = false;  ///< coordinates from 0 to 1, except an array's layer
  FilterMode filter = FilterMode::kNearest;
  FilterMode mip_filter = FilterMode::kNearest;  ///< between the levels of a mipmap
  float lod_min = 0, lod_max = kMostLod;         ///< of a mipmap; not below 0

  bool operator==(const Sampler&) const = default;
};

inline constexpr std::uint64_t kSamplerMark = 0xa5;

/// Whether a kernel's value can be a sampler at all.
TRANSPIRE_TRANSLATE constexpr bool is_sampler(std::uint64_t word) {
  return (word >> 8 & 0xff) == kSamplerMark && (word & 7) <= 4 && (word >> 6 & 3) == 0;
}

TRANSPIRE_TRANSLATE constexpr std::uint64_t packed_lod(float lod) {
  return lod > 0 ? __builtin_bit_cast(std::uint32_t, lod) >> 7 : 0;
}
TRANSPIRE_TRANSLATE constexpr float unpacked_lod(std::uint64_t bits) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>((bits & 0xffffff) << 7));
}

/// The kernel's value. Levels of detail are rounded towards zero to 17 bits; what is below 0, or NaN, is 0.
TRANSPIRE_TRANSLATE constexpr std::uint64_t pack(const Sampler& sampler) {
  return static_cast<std::uint64_t>(sampler.addressing) | std::uint64_t{sampler.normalized} << 3 |
         static_cast<std::uint64_t>(sampler.filter) << 4 |
         static_cast<std::uint64_t>(sampler.mip_filter) << 5 | kSamplerMark << 8 |
         packed_lod(sampler.lod_min) << 16 | packed_lod(sampler.lod_max) << 40;
}

/// The sampler of a value that is_sampler().
TRANSPIRE_TRANSLATE constexpr Sampler unpack_sampler(std::uint64_t word) {
  Sampler sampler;
  sampler.addressing = static_cast<AddressingMode>(word & 7);
  sampler.normalized = (word >> 3 & 1) != 0;
  sampler.filter = static_cast<FilterMode>(word >> 4 & 1);
  sampler.mip_filter = static_cast<FilterMode>(word >> 5 & 1);
  sampler.lod_min = unpacked_lod(word >> 16);
  sampler.lod_max = unpacked_lod(word >> 40);
  return sampler;
}

/// Whether integer coordinates may be used with it; with others the result is undefined (OpenCL C 2.0, "Built-in Image
/// Read Functions").
TRANSPIRE_TRANSLATE constexpr bool takes_integers(const Sampler& sampler) {
  return !sampler.normalized && sampler.filter == FilterMode::kNearest &&
         sampler.addressing <= AddressingMode::kClamp;
}

/// Whether the addressing mode has a meaning: those that repeat want normalized coordinates (OpenCL C 2.0, "Samplers").
TRANSPIRE_TRANSLATE constexpr bool has_defined_addressing(const Sampler& sampler) {
  return sampler.normalized || sampler.addressing <= AddressingMode::kClamp;
}

/// Of OpConstantSampler's literals (SPIR-V 1.0, "Constant-Creation Instructions"); nothing for what are none.
std::optional<Sampler> sampler_of_spirv(std::uint32_t addressing, std::uint32_t normalized,
                                        std::uint32_t filter);

/// Of cl_addressing_mode and cl_filter_mode; nothing for what are none.
std::optional<Sampler> sampler_of_api(std::uint32_t addressing, bool normalized,
                                      std::uint32_t filter);

}  // namespace transpire::memory
