// Samplers: how an image is sampled. In a kernel a sampler is a value of 64 bits:
//
//     | border 2 | rest of lod_max 15 | rest of lod_min 15 |
//     | lod_max 9 | lod_min 9 | mark 8 | mip_filter 1 | filter 1 | normalized 1 | addressing 3 |
//
// Levels of detail are fixed-point numbers with 4 bits before the point and 20 behind it. The lower half is a sampler by itself, and
// is all that memory of 32-bit modules keeps: there levels of detail are rounded towards zero to 5 bits behind the point, and the border
// is transparent. The mark
// distinguishes samplers from other numbers; one that compares has others.
#pragma once

#include <cstdint>
#include <optional>

#include "memory/image.h"
#include "memory/translate.h"

namespace transpire::memory {

/// The value is SPIR-V's Sampler Addressing Mode.
enum class AddressingMode : std::uint8_t { kNone, kClampToEdge, kClamp, kRepeat, kMirroredRepeat };

/// The value is SPIR-V's Sampler Filter Mode.
enum class FilterMode : std::uint8_t { kNearest, kLinear };

/// Relations of a sample's reference to a texel with which it passes, a bit each. As a number it is VkCompareOp's.
using Relations = std::uint8_t;
inline constexpr Relations kLess = 1, kEqual = 2, kGreater = 4;

/// The color of texels outside. Its numbers are those of the texels.
enum class Border : std::uint8_t { kTransparentBlack, kOpaqueBlack, kOpaqueWhite };

/// The greatest level of detail that a sampler's value can hold. No image has a higher level.
inline constexpr float kMostLod = kMaxLevels - 1;

struct Sampler {
  AddressingMode addressing = AddressingMode::kNone;
  bool normalized = false;  ///< coordinates from 0 to 1, except an array's layer
  FilterMode filter = FilterMode::kNearest;
  FilterMode mip_filter = FilterMode::kNearest;  ///< between the levels of a mipmap
  float lod_min = 0, lod_max = kMostLod;         ///< range of a mipmap's levels; not below 0
  bool compares = false;                         ///< texels with a reference; samplers of shaders
  Relations passing = 0;                         ///< for such samplers
  Border border = Border::kTransparentBlack;     ///< with the addressing modes none and clamp

  bool operator==(const Sampler&) const = default;
};

inline constexpr std::uint64_t kSamplerMark = 0xa5;
/// The mark of a sampler that compares, plus its Relations.
inline constexpr std::uint64_t kCompareMark = 0xb0;

TRANSPIRE_TRANSLATE constexpr std::uint64_t mark_of(const Sampler& sampler) {
  return sampler.compares ? kCompareMark + sampler.passing : kSamplerMark;
}

/// True if a kernel's value can be a sampler.
TRANSPIRE_TRANSLATE constexpr bool is_sampler(std::uint64_t word) {
  const std::uint64_t mark = word >> 6 & 0xff;
  return (mark == kSamplerMark || (mark & 0xf8) == kCompareMark) && (word & 7) <= 4 &&
         word >> 62 <= static_cast<std::uint64_t>(Border::kOpaqueWhite);
}

inline constexpr float kLodUnit = 0x1p-20f;
inline constexpr unsigned kLodRestBits = 15;

/// Packs a level of detail: its upper bits go to bit `at` of a sampler's value, its other bits to bit `rest_at`.
TRANSPIRE_TRANSLATE constexpr std::uint64_t packed_lod(float lod, unsigned at, unsigned rest_at) {
  if (!(lod > 0)) return 0;
  const auto units = static_cast<std::uint32_t>((lod < kMostLod ? lod : kMostLod) * (1 / kLodUnit));
  constexpr std::uint32_t kRest = (1u << kLodRestBits) - 1;
  return std::uint64_t{units >> kLodRestBits} << at | std::uint64_t{units & kRest} << rest_at;
}
TRANSPIRE_TRANSLATE constexpr float unpacked_lod(std::uint64_t word, unsigned at,
                                                 unsigned rest_at) {
  const std::uint64_t upper = word >> at & 0x1ff, rest = word >> rest_at & 0x7fff;
  return static_cast<float>(static_cast<std::int32_t>(upper << kLodRestBits | rest)) * kLodUnit;
}

/// The kernel's value for a sampler. Levels of detail are rounded towards zero; NaN and levels below 0 become 0.
TRANSPIRE_TRANSLATE constexpr std::uint64_t pack(const Sampler& sampler) {
  return static_cast<std::uint64_t>(sampler.addressing) | std::uint64_t{sampler.normalized} << 3 |
         static_cast<std::uint64_t>(sampler.filter) << 4 |
         static_cast<std::uint64_t>(sampler.mip_filter) << 5 | mark_of(sampler) << 6 |
         packed_lod(sampler.lod_min, 14, 32) | packed_lod(sampler.lod_max, 23, 47) |
         static_cast<std::uint64_t>(sampler.border) << 62;
}

/// The sampler for a kernel's value, which must be one: see is_sampler().
TRANSPIRE_TRANSLATE constexpr Sampler unpack_sampler(std::uint64_t word) {
  Sampler sampler;
  sampler.addressing = static_cast<AddressingMode>(word & 7);
  sampler.normalized = (word >> 3 & 1) != 0;
  sampler.filter = static_cast<FilterMode>(word >> 4 & 1);
  sampler.mip_filter = static_cast<FilterMode>(word >> 5 & 1);
  const std::uint64_t mark = word >> 6 & 0xff;
  sampler.compares = mark != kSamplerMark;
  if (sampler.compares) sampler.passing = mark & 7;
  sampler.lod_min = unpacked_lod(word, 14, 32);
  sampler.lod_max = unpacked_lod(word, 23, 47);
  sampler.border = static_cast<Border>(word >> 62);
  return sampler;
}

/// True if the sampler may be used with integer coordinates. Otherwise the result is undefined (OpenCL C 2.0, "Built-in Image
/// Read Functions").
TRANSPIRE_TRANSLATE constexpr bool takes_integers(const Sampler& sampler) {
  return !sampler.normalized && sampler.filter == FilterMode::kNearest &&
         sampler.addressing <= AddressingMode::kClamp;
}

/// True if the addressing mode is defined: repeating modes require normalized coordinates (OpenCL C 2.0, "Samplers").
TRANSPIRE_TRANSLATE constexpr bool has_defined_addressing(const Sampler& sampler) {
  return sampler.normalized || sampler.addressing <= AddressingMode::kClamp;
}

/// The sampler for OpConstantSampler's literals (SPIR-V 1.0, "Constant-Creation Instructions"). Nothing if they are invalid.
std::optional<Sampler> sampler_of_spirv(std::uint32_t addressing, std::uint32_t normalized,
                                        std::uint32_t filter);

/// The sampler for values of cl_addressing_mode and cl_filter_mode. Nothing if they are invalid.
std::optional<Sampler> sampler_of_api(std::uint32_t addressing, bool normalized,
                                      std::uint32_t filter);

}  // namespace transpire::memory
