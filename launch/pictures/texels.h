// Channels of an image's texels in memory, and the texel that a byte of the image belongs to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/language/layout.h"
#include "launch/language/number.h"
#include "launch/report/mismatch.h"
#include "transpire/image.hpp"

namespace transpire::launch {

/// Type of the image's elements in memory: a vector of channels, or the word that packs them.
TypeInfo element_type_of(const Image& image);

/// True if the texels are integers; true if R, G and B are encoded as sRGB (IEC 61966-2-1).
bool has_integers(const Image& image);
bool is_encoded(const Image& image);

/// Encoding of a channel's number.
enum class ChannelScale : std::uint8_t { kUnorm, kSnorm, kSigned, kUnsigned, kFloat };

/// A channel as it lies in memory: a word of its own, or some bits of one.
struct Channel {
  std::string name;  ///< "R", "x", "depth"
  std::uint32_t offset_bytes = 0;
  ScalarType word = ScalarType::kUchar;
  unsigned shift = 0, bits = 0;  ///< bits 0: all of the word
  bool is_float = false;  ///< the bits are those of a half behind its sign, without the last ones

  ScalarType type() const {
    return bits == 0 ? word : is_float ? ScalarType::kHalf : ScalarType::kUint;
  }
  /// The bits of the channel's number. `bytes` begins with the channel's word.
  std::uint64_t load_word(std::span<const std::byte> bytes) const;
  /// The bits of the channel's number. `texel` begins with the texel.
  std::uint64_t load(std::span<const std::byte> texel) const {
    return load_word(texel.subspan(offset_bytes));
  }
};

/// Layout of the texels of one image.
class Texels {
 public:
  explicit Texels(const Image& image);

  /// The channels in their order in memory.
  const std::vector<Channel>& channels() const { return channels_; }
  ChannelScale scale() const { return scale_; }
  /// The integer that means 1.0 in a channel of kUnorm or kSnorm.
  static std::uint64_t greatest(const Channel& channel);
  /// Size of one sample.
  std::uint32_t bytes() const { return bytes_; }
  std::uint32_t samples() const { return samples_; }
  const ImageDescription& image() const { return image_; }

  /// Place of the texel that contains the byte at an offset in the image; nothing for a gap between rows.
  std::optional<TexelPlace> place(std::uint64_t offset_bytes) const;
  /// Offset of that byte in its texel.
  std::uint32_t byte_in_texel(std::uint64_t offset_bytes) const;
  /// The channels in the word at an offset in the image; none if no word of that type begins there.
  std::span<const Channel> channels_at(std::uint64_t offset_bytes, ScalarType word) const;

 private:
  struct Level {
    std::uint64_t offset = 0, size_bytes = 0;
    std::array<std::uint64_t, 3> size{1, 1, 1}, pitch{};
  };
  void add_levels();
  const Level& level_of(std::uint64_t offset_bytes) const;

  ImageDescription image_;
  std::vector<Channel> channels_;
  std::vector<Level> levels_;
  ChannelScale scale_ = ChannelScale::kUnorm;
  std::uint32_t bytes_ = 0, samples_ = 1;
  unsigned axes_ = 2, coordinates_ = 2;
};

}  // namespace transpire::launch
