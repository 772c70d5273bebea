// Image formats: orders and types of channels (memory/image_format.def), the formats that exist, and the sizes of their elements.
// memory/texel.h gives the bytes of an element their meaning.
//
// Sources: OpenCL API 2.2, "Image Format Descriptor"; OpenCL SPIR-V Environment, "Image Channel Order Mapping", "Image
// Channel Data Type Mapping", "Data Format for Reading and Writing Images"; OpenCL C 2.0, "Determining the border color
// or value".
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "memory/translate.h"

namespace transpire::memory {

/// The value is SPIR-V's Image Channel Order, but for formats of shaders.
enum class ChannelOrder : std::uint8_t {
#define TRANSPIRE_CHANNEL_ORDER(name, ...) k##name,
#include "memory/image_format.def"
};

/// The value is SPIR-V's Image Channel Data Type, but for formats of shaders.
enum class ChannelType : std::uint8_t {
#define TRANSPIRE_CHANNEL_TYPE(name, ...) k##name,
#include "memory/image_format.def"
};

/// The number that a channel's bits represent.
enum class ChannelKind : std::uint8_t {
  kUnorm,       ///< an unsigned integer over the greatest one: 0 to 1
  kSnorm,       ///< a signed integer over the greatest one, at least -1
  kSigned,      ///< a signed integer
  kUnsigned,    ///< an unsigned integer
  kHalf,        ///< a half
  kFloat,       ///< a float
  kSmallFloat,  ///< a float without a sign, with an exponent of 5 bits: 10 or 11 bits
};

/// A set of ChannelTypes, a bit each.
using ChannelTypes = std::uint32_t;
constexpr ChannelTypes set_of(ChannelType type) {
  return ChannelTypes{1} << static_cast<unsigned>(type);
}
template <class... More>
constexpr ChannelTypes set_of(ChannelType type, More... more) {
  return set_of(type) | set_of(more...);
}

/// Types with one byte for each channel.
inline constexpr ChannelTypes kByteTypes =
    set_of(ChannelType::kUnormInt8, ChannelType::kSnormInt8, ChannelType::kSignedInt8,
           ChannelType::kUnsignedInt8);
/// Types with a word for each channel whose numbers are no integers.
inline constexpr ChannelTypes kFractionTypes =
    set_of(ChannelType::kUnormInt8, ChannelType::kUnormInt16, ChannelType::kSnormInt8,
           ChannelType::kSnormInt16, ChannelType::kHalfFloat, ChannelType::kFloat);
/// All types with a word for each channel.
inline constexpr ChannelTypes kUnpackedTypes =
    kFractionTypes | kByteTypes |
    set_of(ChannelType::kSignedInt16, ChannelType::kSignedInt32, ChannelType::kUnsignedInt16,
           ChannelType::kUnsignedInt32);
/// Types with three channels in a word.
inline constexpr ChannelTypes kPackedRgbTypes =
    set_of(ChannelType::kUnormShort565, ChannelType::kUnormShort555, ChannelType::kUnormInt101010);

/// Constants for components of a texel that are no channel.
inline constexpr std::uint8_t kZero = 4, kOne = 5;

struct ChannelOrderRow {
  std::string_view spelling;  ///< the API's name, without CL_
  std::uint32_t api = 0;      ///< cl_channel_order
  /// Number of channels in memory. The x of an order counts, although no component maps to it ("Image Format Descriptor" of
  /// OpenCL 3.0).
  std::uint8_t channels = 0;
  /// For each of R, G, B and A the channel that it is read from, or kZero or kOne.
  std::uint8_t components[4] = {};
  std::uint8_t border_alpha = 0;  ///< A of the border color; its other components are 0
  bool is_srgb = false;           ///< R, G and B are encoded
  ChannelTypes types = 0;         ///< types that make a format with this order
};

struct ChannelTypeRow {
  std::string_view spelling;  ///< the API's name, without CL_
  std::uint32_t api = 0;      ///< cl_channel_type
  ChannelKind kind = ChannelKind::kUnorm;
  std::uint8_t bits = 0;            ///< bits of a channel; 0: packed
  std::uint8_t packed_bytes = 0;    ///< bytes of the word that holds all channels; 0: not packed
  std::uint8_t unused_bits = 0;     ///< the highest ones of a packed word
  std::uint8_t field_bits[4] = {};  ///< packed: bits of each channel, the first one highest
};

inline constexpr ChannelOrderRow kChannelOrders[] = {
#define TRANSPIRE_CHANNEL_ORDER(name, text, value, ...) \
  {.spelling = text, .api = value, __VA_ARGS__},
#include "memory/image_format.def"
};
inline constexpr ChannelTypeRow kChannelTypes[] = {
#define TRANSPIRE_CHANNEL_TYPE(name, text, value, ...) \
  {.spelling = text, .api = value, __VA_ARGS__},
#include "memory/image_format.def"
};

struct ImageFormat {
  ChannelOrder order = ChannelOrder::kRGBA;
  ChannelType type = ChannelType::kUnormInt8;

  bool operator==(const ImageFormat&) const = default;
};

TRANSPIRE_TRANSLATE constexpr const ChannelOrderRow& row_of(ChannelOrder order) {
  return kChannelOrders[static_cast<unsigned>(order)];
}
TRANSPIRE_TRANSLATE constexpr const ChannelTypeRow& row_of(ChannelType type) {
  return kChannelTypes[static_cast<unsigned>(type)];
}

/// The orders that keep the written value of a component (0 to 3), a bit each.
constexpr std::uint32_t orders_that_keep(std::size_t component) {
  std::uint32_t orders = 0;
  for (std::size_t i = 0; i < std::size(kChannelOrders); ++i) {
    const auto& components = kChannelOrders[i].components;
    bool is_kept = components[component] < kZero;
    // Several components may be read from one channel. The first of them writes it.
    for (std::size_t c = 0; c < component; ++c)
      is_kept = is_kept && components[c] != components[component];
    orders |= std::uint32_t{is_kept} << i;
  }
  return orders;
}

/// The instructions' type of texel that a format is read and written as.
enum class TexelKind : std::uint8_t { kFloat, kSigned, kUnsigned };
TRANSPIRE_TRANSLATE constexpr TexelKind texel_kind(ChannelType type) {
  const ChannelKind kind = row_of(type).kind;
  return kind == ChannelKind::kSigned     ? TexelKind::kSigned
         : kind == ChannelKind::kUnsigned ? TexelKind::kUnsigned
                                          : TexelKind::kFloat;
}
/// True if texels are integers of 64 bits.
TRANSPIRE_TRANSLATE constexpr bool is_wide(ChannelType type) { return row_of(type).bits == 64; }

/// Bytes of an image element, at most 16. In packed formats channels are not bytes.
TRANSPIRE_TRANSLATE constexpr std::uint32_t element_bytes(ImageFormat format) {
  const ChannelTypeRow& type = row_of(format.type);
  return type.packed_bytes != 0 ? type.packed_bytes : row_of(format.order).channels * type.bits / 8;
}

/// DEPTH and DEPTH_STENCIL: texels are scalars, the first component here.
TRANSPIRE_TRANSLATE constexpr bool is_depth(ChannelOrder order) {
  return order == ChannelOrder::kDepth || order == ChannelOrder::kDepthStencil;
}

/// True if the API has the order with the type. Elements of three channels (sRGB, RGx) have no power of two as their size;
/// the API excludes such sizes elsewhere, see has_usual_size().
constexpr bool is_format(ImageFormat format) {
  return (row_of(format.order).types & set_of(format.type)) != 0;
}
/// True if the format is one of shaders, which the API has not.
constexpr bool is_of_shaders(ImageFormat format) {
  return row_of(format.order).api == 0 || row_of(format.type).api == 0;
}
/// True if an element has 1, 2, 4, 8 or 16 bytes ("Image Format Descriptor": image_channel_data_type).
constexpr bool has_usual_size(ImageFormat format) {
  const std::uint32_t bytes = element_bytes(format);
  return (bytes & (bytes - 1)) == 0;
}

/// The format with these values of cl_channel_order and cl_channel_type. Nothing if there is none.
std::optional<ImageFormat> format_of_api(std::uint32_t order, std::uint32_t type);

/// The order or type with a name of the API, in upper or lower case, with or without CL_. Nothing if there is none.
std::optional<ChannelOrder> order_named(std::string_view name);
std::optional<ChannelType> type_named(std::string_view name);

/// The name of a format as in launch files: "RGBA UNORM_INT8".
std::string name_of(ImageFormat format);

}  // namespace transpire::memory
