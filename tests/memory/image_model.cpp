// What formats, conversions and the border color are, of the model.
#include "tests/memory/image_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace transpire::test::image_model {

using memory::ChannelOrder;
using memory::ChannelType;
using memory::ImageFormat;

std::string channels_of(ChannelOrder order) {
  static const std::map<ChannelOrder, std::string> kChannels = {
      {ChannelOrder::kR, "r"},         {ChannelOrder::kA, "a"},
      {ChannelOrder::kRG, "rg"},       {ChannelOrder::kRA, "ra"},
      {ChannelOrder::kRGB, "rgb"},     {ChannelOrder::kRGBA, "rgba"},
      {ChannelOrder::kBGRA, "bgra"},   {ChannelOrder::kARGB, "argb"},
      {ChannelOrder::kIntensity, "i"}, {ChannelOrder::kLuminance, "l"},
      {ChannelOrder::kRx, "rx"},       {ChannelOrder::kRGx, "rgx"},
      {ChannelOrder::kRGBx, "rgbx"},   {ChannelOrder::kDepth, "d"},
      {ChannelOrder::ksRGB, "RGB"},    {ChannelOrder::ksRGBx, "RGBx"},
      {ChannelOrder::ksRGBA, "RGBa"},  {ChannelOrder::ksBGRA, "BGRa"},
      {ChannelOrder::kABGR, "abgr"},   {ChannelOrder::kDepthStencil, "ds"},
  };
  return kChannels.at(order);
}

namespace {

struct TypeBits {
  char kind;
  std::uint32_t bits;         ///< of each channel
  std::vector<Field> fields;  ///< of a packed element
};

const TypeBits& bits_of_type(ChannelType type) {
  static const std::map<ChannelType, TypeBits> kTypes = {
      {ChannelType::kSnormInt8, {'s', 8, {}}},
      {ChannelType::kSnormInt16, {'s', 16, {}}},
      {ChannelType::kUnormInt8, {'u', 8, {}}},
      {ChannelType::kUnormInt16, {'u', 16, {}}},
      {ChannelType::kUnormShort565, {'u', 0, {{11, 5}, {5, 6}, {0, 5}}}},
      {ChannelType::kUnormShort555, {'u', 0, {{10, 5}, {5, 5}, {0, 5}}}},
      {ChannelType::kUnormInt101010, {'u', 0, {{20, 10}, {10, 10}, {0, 10}}}},
      {ChannelType::kSignedInt8, {'I', 8, {}}},
      {ChannelType::kSignedInt16, {'I', 16, {}}},
      {ChannelType::kSignedInt32, {'I', 32, {}}},
      {ChannelType::kUnsignedInt8, {'U', 8, {}}},
      {ChannelType::kUnsignedInt16, {'U', 16, {}}},
      {ChannelType::kUnsignedInt32, {'U', 32, {}}},
      {ChannelType::kHalfFloat, {'h', 16, {}}},
      {ChannelType::kFloat, {'f', 32, {}}},
      {ChannelType::kUnormInt24, {'u', 0, {{8, 24}, {0, 8}}}},
      {ChannelType::kUnormInt101010_2, {'u', 0, {{22, 10}, {12, 10}, {2, 10}, {0, 2}}}},
  };
  return kTypes.at(type);
}

}  // namespace

char kind_of(ChannelType type) { return bits_of_type(type).kind; }

Field field_of(ImageFormat format, std::uint32_t channel) {
  const TypeBits& type = bits_of_type(format.type);
  if (type.bits != 0) return {channel * type.bits, type.bits};
  return channel < type.fields.size() ? type.fields[channel] : Field{};
}

std::uint64_t bits_of(const std::byte* element, Field field) {
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < field.bits; ++i) {
    const std::uint32_t at = field.first + i;
    bits |= static_cast<std::uint64_t>(static_cast<unsigned>(element[at / 8]) >> at % 8 & 1u) << i;
  }
  return bits;
}

void set_bits(std::byte* element, Field field, std::uint64_t bits) {
  for (std::uint32_t i = 0; i < field.bits; ++i) {
    const std::uint32_t at = field.first + i;
    const auto mask = static_cast<std::byte>(1u << at % 8);
    element[at / 8] = (bits >> i & 1) != 0 ? element[at / 8] | mask : element[at / 8] & ~mask;
  }
}

double half_number(std::uint16_t half) {
  const int exponent = half >> 10 & 31, mantissa = half & 0x3ff;
  const double sign = half >> 15 != 0 ? -1 : 1;
  if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * HUGE_VAL;
  return sign *
         (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25));
}

std::uint16_t nearest_half(double number) {
  const unsigned sign = std::signbit(number) ? 0x8000 : 0;
  const double size = std::fabs(number);
  if (size >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  int exponent = size == 0 ? -100 : std::ilogb(size);
  exponent = std::max(exponent, -14);
  const double units = std::nearbyint(std::ldexp(size, 10 - exponent));  // 2048: the next exponent
  const unsigned bits = static_cast<unsigned>(units) + (static_cast<unsigned>(exponent + 14) << 10);
  return static_cast<std::uint16_t>(sign | bits);
}

double srgb_to_linear(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

double linear_to_srgb(double linear) {
  if (std::isnan(linear) || linear < 0) return 0;
  if (linear > 1) return 1;
  return linear < 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

std::int64_t normalized(double value, std::uint32_t bits, bool is_signed) {
  const long double most = std::ldexp(1.0L, static_cast<int>(bits) - (is_signed ? 1 : 0)) - 1;
  const long double least = is_signed ? -most - 1 : 0;
  const long double scaled = std::fmax(least, std::fmin(most, most * value));
  return std::llrint(scaled);
}

double number_of(std::uint64_t bits, Field field, char kind) {
  const double most = std::ldexp(1, static_cast<int>(field.bits)) - 1;
  const double half_range = std::ldexp(1, static_cast<int>(field.bits) - 1);
  const auto number = static_cast<double>(bits);
  const double as_signed = number < half_range ? number : number - 2 * half_range;
  switch (kind) {
    case 'u':
      return number / most;
    case 's':
      return std::fmax(-1.0, as_signed / (half_range - 1));
    case 'I':
      return as_signed;
    case 'U':
      return number;
    case 'h':
      return half_number(static_cast<std::uint16_t>(bits));
    default: {
      const auto word = static_cast<std::uint32_t>(bits);
      float single;
      std::memcpy(&single, &word, sizeof single);
      return single;
    }
  }
}

Color read(const std::byte* element, ImageFormat format) {
  Color color = {0, 0, 0, 1};
  const std::string channels = channels_of(format.order);
  if (channels == "a") color[3] = 0;
  for (std::uint32_t c = 0; c < channels.size(); ++c) {
    const Field field = field_of(format, c);
    const double number = number_of(bits_of(element, field), field, kind_of(format.type));
    const char letter = channels[c];
    if (letter == 'i') color = {number, number, number, number};
    if (letter == 'l') color = {number, number, number, 1};
    if (letter == 'd' || letter == 'r') color[0] = number;
    if (letter == 'g') color[1] = number;
    if (letter == 'b') color[2] = number;
    if (letter == 'a') color[3] = number;
    if (letter == 'R') color[0] = srgb_to_linear(number);
    if (letter == 'G') color[1] = srgb_to_linear(number);
    if (letter == 'B') color[2] = srgb_to_linear(number);
  }
  return color;
}

double border_alpha(ChannelOrder order) {
  const std::string channels = channels_of(order);
  const bool has_none = channels.find_first_of("aix") == std::string::npos;
  return has_none ? 1 : 0;
}

std::vector<ImageFormat> formats() {
  std::vector<ImageFormat> all;
  for (std::uint8_t order = 0; order < 20; ++order)
    for (std::uint8_t type = 0; type < 17; ++type) {
      const ImageFormat format{static_cast<ChannelOrder>(order), static_cast<ChannelType>(type)};
      if (is_format(format)) all.push_back(format);
    }
  return all;
}

}  // namespace transpire::test::image_model
