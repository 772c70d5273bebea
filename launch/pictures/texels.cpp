#include "launch/pictures/texels.h"

#include <fmt/format.h>

#include <algorithm>

namespace transpire::launch {
namespace {

/// Facts about a channel type that the public interface does not tell. The type has the API's spelling.
struct ElementRow {
  std::string_view channel_type;
  ScalarType scalar;
  bool is_integer = false;  ///< texels have the numbers themselves, not fractions
};
constexpr ElementRow kElements[] = {
    {"SNORM_INT8", ScalarType::kChar},
    {"SNORM_INT16", ScalarType::kShort},
    {"UNORM_INT8", ScalarType::kUchar},
    {"UNORM_INT16", ScalarType::kUshort},
    {"UNORM_SHORT_565", ScalarType::kUshort},
    {"UNORM_SHORT_555", ScalarType::kUshort},
    {"UNORM_INT_101010", ScalarType::kUint},
    {"SIGNED_INT8", ScalarType::kChar, true},
    {"SIGNED_INT16", ScalarType::kShort, true},
    {"SIGNED_INT32", ScalarType::kInt, true},
    {"UNSIGNED_INT8", ScalarType::kUchar, true},
    {"UNSIGNED_INT16", ScalarType::kUshort, true},
    {"UNSIGNED_INT32", ScalarType::kUint, true},
    {"HALF_FLOAT", ScalarType::kHalf},
    {"FLOAT", ScalarType::kFloat},
    {"UNORM_INT24", ScalarType::kUint},
    {"UNORM_INT_101010_2", ScalarType::kUint},
    {"UNORM_INT_2_101010", ScalarType::kUint},
    {"UNSIGNED_INT_2_101010", ScalarType::kUint, true},
    {"UFLOAT_101111", ScalarType::kUint},
    {"SIGNED_INT64", ScalarType::kLong, true},
    {"UNSIGNED_INT64", ScalarType::kUlong, true},
};

const ElementRow* row_of(const Image& image) {
  const auto* const row =
      std::ranges::find(kElements, image.description().channel_type, &ElementRow::channel_type);
  return row == std::end(kElements) ? nullptr : row;
}

/// Formats whose channels share a word. Unused bits are the highest ones; the first channel follows.
struct PackedRow {
  std::string_view channel_type;
  unsigned unused_bits;
  unsigned bits[4];
};
constexpr PackedRow kPacked[] = {
    {"UNORM_SHORT_565", 0, {5, 6, 5, 0}},          {"UNORM_SHORT_555", 1, {5, 5, 5, 0}},
    {"UNORM_INT_101010", 2, {10, 10, 10, 0}},      {"UNORM_INT24", 0, {24, 8, 0, 0}},
    {"UNORM_INT_101010_2", 0, {10, 10, 10, 2}},    {"UNORM_INT_2_101010", 0, {2, 10, 10, 10}},
    {"UNSIGNED_INT_2_101010", 0, {2, 10, 10, 10}}, {"UFLOAT_101111", 0, {10, 11, 11, 0}}};

std::vector<std::string> names_of(std::string_view order) {
  if (order == "INTENSITY") return {"intensity"};
  if (order == "LUMINANCE") return {"luminance"};
  if (order == "DEPTH") return {"depth"};
  if (order == "DEPTH_STENCIL") return {"depth", "stencil"};
  if (order.starts_with('s')) order.remove_prefix(1);  // sRGB
  std::vector<std::string> names;
  for (const char letter : order) names.emplace_back(1, letter);
  return names;
}

ChannelScale scale_of(std::string_view channel_type) {
  if (channel_type.starts_with("UNORM")) return ChannelScale::kUnorm;
  if (channel_type.starts_with("SNORM")) return ChannelScale::kSnorm;
  if (channel_type.starts_with("SIGNED")) return ChannelScale::kSigned;
  return channel_type.starts_with("UNSIGNED") ? ChannelScale::kUnsigned : ChannelScale::kFloat;
}

}  // namespace

TypeInfo element_type_of(const Image& image) {
  const ElementRow* const row = row_of(image);
  if (row == nullptr) return byte_type();
  const unsigned components = image.element_bytes() / size_bytes(row->scalar);
  return type_of(TypeWord{row->scalar, components == 3 ? 1 : std::max(components, 1u)});
}

bool has_integers(const Image& image) {
  const ElementRow* const row = row_of(image);
  return row != nullptr && row->is_integer;
}

bool is_encoded(const Image& image) {
  const std::string& order = image.description().channel_order;
  return order.starts_with("sRGB") || order.starts_with("sBGR");
}

namespace {

std::vector<Channel> channels_of(const Image& image) {
  const ImageDescription& description = image.description();
  const std::vector<std::string> names = names_of(description.channel_order);
  const std::vector<Leaf> leaves = leaves_of(element_type_of(image));
  const ScalarType word = leaves.empty() ? ScalarType::kUchar : leaves[0].type;
  std::vector<Channel> channels;
  const auto* const packed =
      std::ranges::find(kPacked, description.channel_type, &PackedRow::channel_type);
  if (packed == std::end(kPacked)) {
    for (const std::string& name : names)
      channels.push_back(
          {name, static_cast<std::uint32_t>(channels.size()) * size_bytes(word), word});
    return channels;
  }
  unsigned shift = 8 * image.element_bytes() - packed->unused_bits;
  for (std::size_t i = 0; i < names.size() && i < 4 && packed->bits[i] != 0; ++i) {
    shift -= packed->bits[i];
    channels.push_back({names[i], 0, word, shift, packed->bits[i],
                        scale_of(description.channel_type) == ChannelScale::kFloat});
  }
  return channels;
}

}  // namespace

std::uint64_t Channel::load_word(std::span<const std::byte> bytes) const {
  const std::uint64_t all = load_bits(bytes, word);
  if (bits == 0) return all;
  const std::uint64_t field = all >> shift & ((std::uint64_t{1} << bits) - 1);
  return is_float ? field << (15 - bits) : field;
}

Texels::Texels(const Image& image)
    : image_(image.description()),
      channels_(channels_of(image)),
      scale_(scale_of(image_.channel_type)),
      bytes_(image.element_bytes()),
      samples_(std::max(image_.samples, 1U)) {
  const ImageDim dim = image_.dim;
  const bool is_array = dim == ImageDim::k1DArray || dim == ImageDim::k2DArray;
  axes_ = dim == ImageDim::k3D ? 3 : dim == ImageDim::k2D || dim == ImageDim::k2DArray ? 2 : 1;
  coordinates_ = axes_ + (is_array ? 1 : 0);
  add_levels();
}

/// Adds the levels one behind the other. Level 0 has the image's pitches, the others have no gaps.
void Texels::add_levels() {
  std::array<std::uint64_t, 3> sides{image_.width, axes_ > 1 ? image_.height : 1,
                                     axes_ > 2 ? image_.depth : 1};
  if (coordinates_ > axes_) sides[axes_] = image_.layers;
  const std::uint64_t texel = std::uint64_t{bytes_} * samples_;
  std::uint64_t offset = 0;
  for (std::uint32_t l = 0; l < std::max(image_.levels, 1U); ++l) {
    Level level;
    level.offset = offset;
    for (unsigned k = 0; k < 3; ++k)
      level.size[k] = k < axes_ ? std::max<std::uint64_t>(sides[k] >> l, 1) : sides[k];
    const std::uint64_t rows = axes_ > 1 ? level.size[1] : 1;
    const std::uint64_t row = l == 0 ? image_.row_pitch : texel * level.size[0];
    const std::uint64_t slice = l == 0 ? image_.slice_pitch : row * rows;
    level.pitch = {texel, axes_ == 1 ? slice : row, slice};
    level.size_bytes = slice * (coordinates_ > axes_ || axes_ == 3 ? level.size[axes_ == 1 ? 1 : 2]
                                                                   : std::uint64_t{1});
    offset += level.size_bytes;
    levels_.push_back(level);
  }
}

std::uint64_t Texels::greatest(const Channel& channel) {
  if (channel.bits != 0) return (std::uint64_t{1} << channel.bits) - 1;
  const unsigned bits = 8 * size_bytes(channel.word) - (is_signed(channel.word) ? 1 : 0);
  return (std::uint64_t{1} << bits) - 1;
}

const Texels::Level& Texels::level_of(std::uint64_t offset_bytes) const {
  std::size_t l = levels_.size() - 1;
  while (l > 0 && levels_[l].offset > offset_bytes) --l;
  return levels_[l];
}

std::optional<TexelPlace> Texels::place(std::uint64_t offset_bytes) const {
  const Level& level = level_of(offset_bytes);
  std::uint64_t rest = offset_bytes - level.offset;
  TexelPlace place;
  place.coordinates = coordinates_;
  for (unsigned k = 3; k-- > 0;) {
    if (level.size[k] == 1 && k != 0) continue;
    place.at[k] = rest / level.pitch[k];
    rest %= level.pitch[k];
    if (place.at[k] >= level.size[k]) return std::nullopt;
  }
  if (levels_.size() > 1) place.level = static_cast<std::uint32_t>(&level - levels_.data());
  if (samples_ > 1) place.sample = static_cast<std::uint32_t>(rest / bytes_);
  return place;
}

std::uint32_t Texels::byte_in_texel(std::uint64_t offset_bytes) const {
  // Pitches are multiples of a texel, so the remainder is the offset in the texel.
  return static_cast<std::uint32_t>((offset_bytes - level_of(offset_bytes).offset) % bytes_);
}

std::span<const Channel> Texels::channels_at(std::uint64_t offset_bytes, ScalarType word) const {
  const std::uint32_t at = byte_in_texel(offset_bytes);
  const auto is_there = [&](const Channel& channel) {
    return channel.offset_bytes == at && channel.word == word;
  };
  const auto first = std::ranges::find_if(channels_, is_there);
  const auto last = std::find_if_not(first, channels_.end(), is_there);
  return {first, last};
}

}  // namespace transpire::launch
