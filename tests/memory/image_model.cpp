// The model: formats, conversions and the border color, and "Image Addressing and Filtering" word by word.
#include "tests/memory/image_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace transpire::test::image_model {

using memory::ImageDim;
using memory::Sampler;
using namespace memory;

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

Color Picture::at(int x, int y, int z) const {
  if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2])
    return {0, 0, 0, border_alpha};
  return colors[static_cast<std::size_t>((z * size[1] + y) * size[0] + x)];
}

namespace {

/// Two texels and the second one's weight; the filter nearest has the same twice.
struct Pair {
  long first = 0, second = 0;
  double weight = 0;
};

int layer_axis(ImageDim dim) {
  return dim == ImageDim::k1DArray ? 1 : dim == ImageDim::k2DArray ? 2 : 3;
}
int axes_of(ImageDim dim) {
  switch (dim) {
    case ImageDim::k2D:
    case ImageDim::k2DArray:
      return 2;
    case ImageDim::k3D:
      return 3;
    default:
      return 1;
  }
}

long clamp(long a, long b, long c) { return a < b ? b : a > c ? c : a; }

long address_mode(AddressingMode mode, long coord, long size) {
  if (mode == AddressingMode::kClamp) return clamp(coord, -1, size);
  if (mode == AddressingMode::kClampToEdge) return clamp(coord, 0, size - 1);
  return coord;
}

/// Any float is an index when what lies far outside is brought near.
template <class F>
long whole(F number) {
  return static_cast<long>(std::fmax(F{-2e9}, std::fmin(F{2e9}, std::floor(number))));
}

template <class F>
Pair repeated(F s, long size, FilterMode filter) {
  const F u = (s - std::floor(s)) * static_cast<F>(size);
  if (filter == FilterMode::kNearest) {
    long i = whole(u);
    if (i > size - 1) i = i - size;
    return {i, i, 0};
  }
  long i0 = whole(u - F{0.5}), i1 = i0 + 1;
  if (i0 < 0) i0 = size + i0;
  if (i1 > size - 1) i1 = i1 - size;
  return {i0, i1, static_cast<double>((u - F{0.5}) - std::floor(u - F{0.5}))};
}

template <class F>
Pair mirrored(F s, long size, FilterMode filter) {
  F prime = F{2} * std::rint(F{0.5} * s);
  prime = std::fabs(s - prime);
  const F u = prime * static_cast<F>(size);
  if (filter == FilterMode::kNearest) {
    const long i = std::min(whole(u), size - 1);
    return {i, i, 0};
  }
  const long i0 = whole(u - F{0.5});
  return {std::max(i0, 0L), std::min(i0 + 1, size - 1),
          static_cast<double>((u - F{0.5}) - std::floor(u - F{0.5}))};
}

template <class F>
Pair pair_of(float coordinate, long size, const Sampler& sampler) {
  const bool repeats = sampler.addressing == AddressingMode::kRepeat ||
                       sampler.addressing == AddressingMode::kMirroredRepeat;
  F s = coordinate;
  if (std::isnan(s) || (repeats && std::isinf(s))) s = 0;
  if (repeats && !sampler.normalized) s = s / static_cast<F>(size);
  if (sampler.addressing == AddressingMode::kRepeat) return repeated(s, size, sampler.filter);
  if (sampler.addressing == AddressingMode::kMirroredRepeat)
    return mirrored(s, size, sampler.filter);
  const F u = sampler.normalized ? s * static_cast<F>(size) : s;
  if (sampler.filter == FilterMode::kNearest) {
    const long i = address_mode(sampler.addressing, whole(u), size);
    return {i, i, 0};
  }
  const F from = u - F{0.5};
  const double frac = std::isinf(from) ? 0 : static_cast<double>(from - std::floor(from));
  return {address_mode(sampler.addressing, whole(from), size),
          address_mode(sampler.addressing, whole(from) + 1, size), frac};
}

Pair pair_of(std::int32_t coordinate, long size, const Sampler& sampler) {
  long i = coordinate;
  if (sampler.addressing == AddressingMode::kRepeat) {
    while (i < 0) i += size * (1 + -i / size);
    i %= size;
  } else if (sampler.addressing == AddressingMode::kMirroredRepeat) {
    while (i < 0) i += 2 * size * (1 + -i / (2 * size));
    i %= 2 * size;
    if (i >= size) i = 2 * size - 1 - i;
  } else {
    i = address_mode(sampler.addressing, i, size);
  }
  return {i, i, 0};
}

Sampled mixed(const Picture& picture, const Sampler& sampler, const Pair (&pairs)[3]) {
  Sampled result;
  for (int k = 0; k < axes_of(picture.dim); ++k)
    for (const long index : {pairs[k].first, pairs[k].second})
      if (sampler.addressing == AddressingMode::kNone && (index < 0 || index >= picture.size[k]))
        result.is_outside = true;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    int place[3];
    for (int k = 0; k < 3; ++k) {
      const bool is_second = (corner >> k & 1) != 0;
      place[k] = static_cast<int>(is_second ? pairs[k].second : pairs[k].first);
      weight *= is_second ? pairs[k].weight : 1 - pairs[k].weight;
    }
    if (weight == 0) continue;
    const Color color = picture.at(place[0], place[1], place[2]);
    for (int k = 0; k < 4; ++k) {
      result.color[k] += weight * color[k];
      result.largest = std::max(result.largest, std::fabs(color[k]));
    }
  }
  return result;
}

}  // namespace

template <class F>
Sampled sample(const Picture& picture, const Sampler& sampler, const float (&coordinate)[3]) {
  Pair pairs[3];
  const int layer = layer_axis(picture.dim), axes = axes_of(picture.dim);
  bool is_not_finite = false;
  for (int k = 0; k < 3; ++k) {
    if (k >= axes && k != layer) continue;
    is_not_finite |= !std::isfinite(coordinate[k]);
    if (k != layer) {
      pairs[k] = pair_of<F>(coordinate[k], picture.size[k], sampler);
      continue;
    }
    const float near = std::isnan(coordinate[k]) ? 0 : std::rint(coordinate[k]);
    pairs[k].first = pairs[k].second = static_cast<long>(
        std::fmax(0.0f, std::fmin(near, static_cast<float>(picture.size[k] - 1))));
  }
  Sampled result = mixed(picture, sampler, pairs);
  result.is_not_finite = is_not_finite;
  return result;
}
template Sampled sample<float>(const Picture&, const Sampler&, const float (&)[3]);
template Sampled sample<double>(const Picture&, const Sampler&, const float (&)[3]);

Sampled sample(const Picture& picture, const Sampler& sampler,
               const std::int32_t (&coordinate)[3]) {
  Pair pairs[3];
  const int layer = layer_axis(picture.dim);
  for (int k = 0; k < 3; ++k) {
    if (k >= axes_of(picture.dim) && k != layer) continue;
    if (k != layer)
      pairs[k] = pair_of(coordinate[k], picture.size[k], sampler);
    else
      pairs[k].first = pairs[k].second = clamp(coordinate[k], 0, picture.size[k] - 1);
  }
  return mixed(picture, sampler, pairs);
}

}  // namespace transpire::test::image_model
