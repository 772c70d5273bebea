// What the bytes of an image are, texel by texel: its channels, and where in the image a byte lies.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/number.h"
#include "transpire/image.hpp"

namespace transpire::launch {

/// How a channel's bits are a number.
enum class ChannelScale : std::uint8_t { kUnorm, kSnorm, kSigned, kUnsigned, kFloat };

/// A channel as it lies in memory: a word of its own, or some bits of one.
struct Channel {
  std::string name;  ///< "R", "x", "depth"
  std::uint32_t offset_bytes = 0;
  ScalarType word = ScalarType::kUchar;
  unsigned shift = 0, bits = 0;  ///< bits 0: all of the word

  ScalarType type() const { return bits == 0 ? word : ScalarType::kUint; }
  /// The bits of its number, from where its word begins.
  std::uint64_t load_word(std::span<const std::byte> bytes) const;
  /// The same, from where the texel begins.
  std::uint64_t load(std::span<const std::byte> texel) const {
    return load_word(texel.subspan(offset_bytes));
  }
};

struct TexelPlace {
  std::array<std::uint64_t, 3>
      at{};                  ///< x, y and z; an array's layer is the last one that there is
  unsigned coordinates = 1;  ///< how many there are
  std::optional<std::uint32_t> level{};   ///< of a mipmap
  std::optional<std::uint32_t> sample{};  ///< of a multisampled image

  /// "(3,1)", "(3,1) of level 2", "(3,1), sample 1"
  std::string spelled() const;
};

/// Of one image.
class Texels {
 public:
  explicit Texels(const Image& image);

  /// In the order in which they lie in memory.
  const std::vector<Channel>& channels() const { return channels_; }
  ChannelScale scale() const { return scale_; }
  /// The number that stands for 1 in a channel of kUnorm or kSnorm.
  static std::uint64_t greatest(const Channel& channel);
  /// Of one sample.
  std::uint32_t bytes() const { return bytes_; }
  std::uint32_t samples() const { return samples_; }
  const ImageDescription& image() const { return image_; }

  /// Bytes from the image's first one; nothing in a gap between rows.
  std::optional<TexelPlace> place(std::uint64_t offset_bytes) const;
  /// Of those, the byte in its texel.
  std::uint32_t byte_in_texel(std::uint64_t offset_bytes) const;
  /// The channels of the word that begins there; none where no word of that type does.
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
