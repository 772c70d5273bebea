// The meaning of a texel: the bytes of an image element as the four components that instructions read and write, by the
// rules of OpenCL SPIR-V Environment, "Conversion Rules" and "Data Format for Reading and Writing Images"; of formats that shaders alone
// have, by those of Vulkan, "Unsigned 11-Bit Floating-Point Numbers", "Unsigned 10-Bit Floating-Point Numbers".
//
// Everything is inlined, so that a handler for one constant format has only the code for that format. Arithmetic is exact or
// rounds once, to nearest even, so all instruction sets give the same bits.
//
// Choices that the rules leave open: a NaN is written to a normalized channel as 0, an infinity as the greatest or least value.
// A read of another kind of texel than the format has gives zeros, and such a write changes nothing. Channels that no component
// maps to (the x of an order, a stencil) keep their value, but the unused bits of a packed element become 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "memory/image_format.h"
#include "memory/sampler.h"
#include "memory/srgb.h"
#include "transpire/half.hpp"

namespace transpire::memory {

/// R, G, B and A, as float, double, or integers of 32 or 64 bits; as std::uint16_t the bits of halves.
template <class T>
struct Texel {
  T v[4];
};

/// The number 1 as a component.
template <class T>
TRANSPIRE_TRANSLATE constexpr T one_of() {
  return 1;
}
template <>
TRANSPIRE_TRANSLATE constexpr std::uint16_t one_of<std::uint16_t>() {
  return 0x3c00;
}

/// The border color of an order. A texel of integers has theirs.
template <class T>
TRANSPIRE_TRANSLATE constexpr Texel<T> border_of(ChannelOrder order,
                                                 Border border = Border::kTransparentBlack) {
  const ChannelOrderRow& row = row_of(order);
  Texel<T> color{};
  if (border == Border::kOpaqueWhite)
    for (std::uint32_t k = 0; k < 3; ++k)
      color.v[k] = row.components[k] < kZero ? one_of<T>() : T{0};
  if (border != Border::kTransparentBlack || row.border_alpha != 0) color.v[3] = one_of<T>();
  return color;
}

template <class T>
TRANSPIRE_TRANSLATE T load_channel(const std::byte* element, std::uint32_t channel) {
  T value;
  __builtin_memcpy(&value, element + channel * sizeof(T), sizeof(T));
  return value;
}
template <class T>
TRANSPIRE_TRANSLATE void store_channel(std::byte* element, std::uint32_t channel, T value) {
  __builtin_memcpy(element + channel * sizeof(T), &value, sizeof(T));
}

/// A packed element: the word of all channels.
TRANSPIRE_TRANSLATE std::uint32_t load_word(const std::byte* element, const ChannelTypeRow& type) {
  return type.packed_bytes == 2 ? load_channel<std::uint16_t>(element, 0)
                                : load_channel<std::uint32_t>(element, 0);
}

/// Where a channel's field of a packed word begins.
TRANSPIRE_TRANSLATE constexpr std::uint32_t field_shift(const ChannelTypeRow& type,
                                                        std::uint32_t channel) {
  std::uint32_t shift = type.packed_bytes * 8u - type.unused_bits;
  for (std::uint32_t c = 0; c <= channel; ++c) shift -= type.field_bits[c];
  return shift;
}
TRANSPIRE_TRANSLATE constexpr std::uint32_t field_most(const ChannelTypeRow& type,
                                                       std::uint32_t channel) {
  return (std::uint32_t{1} << type.field_bits[channel]) - 1;
}

/// The component that a channel is written from; 4: none.
TRANSPIRE_TRANSLATE constexpr std::uint32_t component_of(const ChannelOrderRow& order,
                                                         std::uint32_t channel) {
  for (std::uint32_t k = 0; k < 4; ++k)
    if (order.components[k] == channel) return k;
  return 4;
}

/// The texel of an order, made of its channels.
template <class T>
TRANSPIRE_TRANSLATE Texel<T> arrange(const ChannelOrderRow& order, const T (&channels)[4]) {
  const T all[6] = {channels[0], channels[1], channels[2], channels[3], T{0}, one_of<T>()};
  return {{all[order.components[0]], all[order.components[1]], all[order.components[2]],
           all[order.components[3]]}};
}

/// "Converting Normalized Integer Channel Data Types to Floating-point Values": a quotient that rounds once.
template <class F>
TRANSPIRE_TRANSLATE F from_unorm(std::uint32_t value, std::uint32_t most) {
  return static_cast<F>(static_cast<std::int32_t>(value)) /
         static_cast<F>(static_cast<std::int32_t>(most));
}
template <class F>
TRANSPIRE_TRANSLATE F from_snorm(std::int32_t value, std::int32_t most) {
  const F quotient = static_cast<F>(value) / static_cast<F>(most);
  return quotient < F{-1} ? F{-1} : quotient;
}

/// Reads a channel that has a word of its own and whose number is no integer. F: float or double.
template <class F>
TRANSPIRE_TRANSLATE F read_fraction(const std::byte* element, ChannelType type,
                                    std::uint32_t channel) {
  switch (type) {
    case ChannelType::kUnormInt8:
      return from_unorm<F>(load_channel<std::uint8_t>(element, channel), 0xff);
    case ChannelType::kUnormInt16:
      return from_unorm<F>(load_channel<std::uint16_t>(element, channel), 0xffff);
    case ChannelType::kSnormInt8:
      return from_snorm<F>(load_channel<std::int8_t>(element, channel), 0x7f);
    case ChannelType::kSnormInt16:
      return from_snorm<F>(load_channel<std::int16_t>(element, channel), 0x7fff);
    case ChannelType::kHalfFloat:
      return half_to_float(load_channel<std::uint16_t>(element, channel));
    case ChannelType::kFloat:
      return load_channel<float>(element, channel);
    default:
      return 0;
  }
}

/// The number of a float of 10 or 11 bits without a sign: 5 bits of exponent, the others of mantissa, are those of a half behind its
/// sign.
TRANSPIRE_TRANSLATE float from_small_float(std::uint32_t bits, std::uint32_t width) {
  return half_to_float(static_cast<std::uint16_t>(bits << (15 - width)));
}

/// Such a float, rounded to nearest even. Numbers below 0 are 0, finite ones beyond the greatest finite one are that.
TRANSPIRE_TRANSLATE std::uint32_t to_small_float(float value, std::uint32_t width) {
  const std::uint32_t mantissa = width - 5, infinity = std::uint32_t{0x1f} << mantissa;
  if (!(value > 0)) return value == value ? 0 : infinity + (std::uint32_t{1} << (mantissa - 1));
  if (value - value != 0) return infinity;
  if (value >= from_small_float(infinity - 1, width)) return infinity - 1;
  constexpr std::uint32_t kLeast = 113;  // a float's exponent of 2^-14, below which are subnormals
  const auto bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t exponent = bits >> 23;
  const bool is_normal = exponent >= kLeast;
  const std::uint32_t dropped = 23 - mantissa + (is_normal ? 0 : kLeast - exponent);
  if (dropped > 24) return 0;
  const std::uint32_t whole =
      is_normal ? bits - ((kLeast - 1) << 23) : (bits & 0x7fffff) | std::uint32_t{1} << 23;
  return (whole + (std::uint32_t{1} << (dropped - 1)) - 1 + (whole >> dropped & 1)) >> dropped;
}

/// The bits of a packed element's channel.
TRANSPIRE_TRANSLATE std::uint32_t field_of(const std::byte* element, const ChannelTypeRow& type,
                                           std::uint32_t channel) {
  return load_word(element, type) >> field_shift(type, channel) & field_most(type, channel);
}

/// Reads a channel of a packed element. F: float or double.
template <class F>
TRANSPIRE_TRANSLATE F read_field(const std::byte* element, const ChannelTypeRow& type,
                                 std::uint32_t channel) {
  if (type.field_bits[channel] == 0) return 0;
  const std::uint32_t bits = field_of(element, type, channel);
  if (type.kind == ChannelKind::kSmallFloat)
    return from_small_float(bits, type.field_bits[channel]);
  return from_unorm<F>(bits, field_most(type, channel));
}

/// An element as floats or doubles, which hold every channel's number rounded once.
template <class F>
TRANSPIRE_TRANSLATE Texel<F> read_floats(const std::byte* element, ImageFormat format) {
  const ChannelOrderRow& order = row_of(format.order);
  const ChannelTypeRow& type = row_of(format.type);
  if (texel_kind(format.type) != TexelKind::kFloat) return {};
  F channels[4] = {};
  for (std::uint32_t c = 0; c < 4; ++c) {
    if (c >= order.channels) continue;
    if (type.packed_bytes != 0)
      channels[c] = read_field<F>(element, type, c);
    else if (order.is_srgb && c < 3)
      channels[c] = static_cast<F>(kSrgbToLinear[load_channel<std::uint8_t>(element, c)]);
    else
      channels[c] = read_fraction<F>(element, format.type, c);
  }
  return arrange(order, channels);
}

/// An element as halves: "Converting Normalized Integer Channel Data Types to Half Precision Floating-point Values";
/// halves as they are.
TRANSPIRE_TRANSLATE Texel<std::uint16_t> read_halves(const std::byte* element, ImageFormat format) {
  const ChannelOrderRow& order = row_of(format.order);
  if (format.type == ChannelType::kHalfFloat) {
    std::uint16_t channels[4] = {};
    for (std::uint32_t c = 0; c < 4; ++c)
      if (c < order.channels) channels[c] = load_channel<std::uint16_t>(element, c);
    return arrange(order, channels);
  }
  const Texel<double> exact = read_floats<double>(element, format);
  return {{half_from_double(exact.v[0]), half_from_double(exact.v[1]), half_from_double(exact.v[2]),
           half_from_double(exact.v[3])}};
}

/// True if texels of the type are integers of T: signed or not, and as wide.
template <class T>
TRANSPIRE_TRANSLATE constexpr bool has_integers(ChannelType type) {
  constexpr bool kSigned = static_cast<T>(-1) < T{0};
  return row_of(type).kind == (kSigned ? ChannelKind::kSigned : ChannelKind::kUnsigned) &&
         is_wide(type) == (sizeof(T) == 8);
}

/// An element of integers as they are. T is signed of SIGNED, unsigned of UNSIGNED formats, of 64 bits where they have 64, else 32.
template <class T>
TRANSPIRE_TRANSLATE Texel<T> read_integers(const std::byte* element, ImageFormat format) {
  constexpr bool kSigned = static_cast<T>(-1) < T{0};
  using Byte = std::conditional_t<kSigned, std::int8_t, std::uint8_t>;
  using Word = std::conditional_t<kSigned, std::int16_t, std::uint16_t>;
  const ChannelOrderRow& order = row_of(format.order);
  const ChannelTypeRow& type = row_of(format.type);
  if (!has_integers<T>(format.type)) return {};
  T channels[4] = {};
  for (std::uint32_t c = 0; c < 4; ++c) {
    if (c >= order.channels) continue;
    channels[c] = type.packed_bytes != 0 ? static_cast<T>(field_of(element, type, c))
                  : type.bits == 8       ? T{load_channel<Byte>(element, c)}
                  : type.bits == 16      ? T{load_channel<Word>(element, c)}
                                         : load_channel<T>(element, c);
  }
  return arrange(order, channels);
}

/// The nearest integer of a number below 2^51, halfway the even one.
TRANSPIRE_TRANSLATE std::int32_t nearest_even(double value) {
  constexpr double kMagic = 0x1.8p52;
  return static_cast<std::int32_t>((value + kMagic) - kMagic);
}

/// "Converting Floating-point Values to Normalized Integer Channel Data Types": the product is exact.
TRANSPIRE_TRANSLATE std::uint32_t to_unorm(float value, std::uint32_t most) {
  const double greatest = static_cast<std::int32_t>(most);
  double scaled = static_cast<double>(value) * greatest;
  scaled = scaled > 0 ? scaled : 0;  // a NaN, too
  return static_cast<std::uint32_t>(nearest_even(scaled < greatest ? scaled : greatest));
}
TRANSPIRE_TRANSLATE std::int32_t to_snorm(float value, std::int32_t most) {
  const double greatest = most, least = -greatest - 1;
  double scaled = static_cast<double>(value) * greatest;
  scaled = scaled < greatest ? scaled : value == value ? greatest : 0;
  return nearest_even(scaled > least ? scaled : least);
}

/// The encoding of a linear value: as many as there are thresholds that it reaches. A NaN reaches none.
TRANSPIRE_TRANSLATE std::uint8_t to_srgb(float value) {
  std::uint32_t reached = 0;
  for (std::uint32_t step = 128; step != 0; step /= 2)
    reached += value >= kLinearToSrgb[reached + step - 1] ? step : 0;
  return static_cast<std::uint8_t>(reached);
}

/// Writes a channel that has a word of its own and whose number is no integer.
TRANSPIRE_TRANSLATE void write_fraction(std::byte* element, ChannelType type, std::uint32_t channel,
                                        float value) {
  switch (type) {
    case ChannelType::kUnormInt8:
      return store_channel(element, channel, static_cast<std::uint8_t>(to_unorm(value, 0xff)));
    case ChannelType::kUnormInt16:
      return store_channel(element, channel, static_cast<std::uint16_t>(to_unorm(value, 0xffff)));
    case ChannelType::kSnormInt8:
      return store_channel(element, channel, static_cast<std::int8_t>(to_snorm(value, 0x7f)));
    case ChannelType::kSnormInt16:
      return store_channel(element, channel, static_cast<std::int16_t>(to_snorm(value, 0x7fff)));
    case ChannelType::kHalfFloat:
      return store_channel(element, channel, half_from_float(value));
    case ChannelType::kFloat:
      return store_channel(element, channel, value);
    default:
      return;
  }
}

/// The bits of a packed element's channel for a number.
TRANSPIRE_TRANSLATE std::uint32_t to_field(float number, const ChannelTypeRow& type,
                                           std::uint32_t channel) {
  return type.kind == ChannelKind::kSmallFloat ? to_small_float(number, type.field_bits[channel])
                                               : to_unorm(number, field_most(type, channel));
}
TRANSPIRE_TRANSLATE std::uint32_t to_field(std::uint32_t number, const ChannelTypeRow& type,
                                           std::uint32_t channel) {
  const std::uint32_t most = field_most(type, channel);
  return number > most ? most : number;
}

/// Writes a packed element. T: float, or std::uint32_t to UNSIGNED formats.
template <class T>
TRANSPIRE_TRANSLATE void write_word(std::byte* element, ImageFormat format, const Texel<T>& texel) {
  const ChannelOrderRow& order = row_of(format.order);
  const ChannelTypeRow& type = row_of(format.type);
  std::uint32_t word = 0;
  for (std::uint32_t c = 0; c < 4; ++c) {
    if (type.field_bits[c] == 0) continue;
    const std::uint32_t shift = field_shift(type, c), most = field_most(type, c);
    const std::uint32_t component = component_of(order, c);
    word |= component < 4 ? to_field(texel.v[component], type, c) << shift
                          : load_word(element, type) & most << shift;
  }
  if (type.packed_bytes == 2)
    store_channel(element, 0, static_cast<std::uint16_t>(word));
  else
    store_channel(element, 0, word);
}

/// Writes a texel to an element of a format whose numbers are no integers.
TRANSPIRE_TRANSLATE void write_floats(std::byte* element, ImageFormat format,
                                      const Texel<float>& texel) {
  const ChannelOrderRow& order = row_of(format.order);
  if (texel_kind(format.type) != TexelKind::kFloat) return;
  if (row_of(format.type).packed_bytes != 0) return write_word(element, format, texel);
  for (std::uint32_t c = 0; c < 4; ++c) {
    const std::uint32_t component = component_of(order, c);
    if (c >= order.channels || component == 4) continue;
    if (order.is_srgb && c < 3)
      store_channel(element, c, to_srgb(texel.v[component]));
    else
      write_fraction(element, format.type, c, texel.v[component]);
  }
}

/// Writes a texel of halves to an element of a format whose numbers are no integers. Half channels keep the halves' bits.
TRANSPIRE_TRANSLATE void write_halves(std::byte* element, ImageFormat format,
                                      const Texel<std::uint16_t>& texel) {
  const ChannelOrderRow& order = row_of(format.order);
  if (format.type != ChannelType::kHalfFloat)
    return write_floats(element, format,
                        {{half_to_float(texel.v[0]), half_to_float(texel.v[1]),
                          half_to_float(texel.v[2]), half_to_float(texel.v[3])}});
  for (std::uint32_t c = 0; c < 4; ++c) {
    const std::uint32_t component = component_of(order, c);
    if (c < order.channels && component < 4) store_channel(element, c, texel.v[component]);
  }
}

/// "Conversion Rules for Signed and Unsigned 8-bit, 16-bit and 32-bit Integer Channel Data Types":
/// saturated to the width of the channel, at most 32, as its bits.
TRANSPIRE_TRANSLATE std::uint32_t saturated(std::int32_t value, std::uint32_t bits) {
  const std::int32_t most = static_cast<std::int32_t>(~std::uint32_t{0} >> (33 - bits));
  return static_cast<std::uint32_t>(value > most ? most : value < -most - 1 ? -most - 1 : value);
}
TRANSPIRE_TRANSLATE std::uint32_t saturated(std::uint32_t value, std::uint32_t bits) {
  const std::uint32_t most = ~std::uint32_t{0} >> (32 - bits);
  return value > most ? most : value;
}

/// Writes a texel of integers; T as for read_integers().
template <class T>
TRANSPIRE_TRANSLATE void write_integers(std::byte* element, ImageFormat format,
                                        const Texel<T>& texel) {
  const ChannelOrderRow& order = row_of(format.order);
  const ChannelTypeRow& type = row_of(format.type);
  if (!has_integers<T>(format.type)) return;
  if constexpr (std::is_same_v<T, std::uint32_t>)
    if (type.packed_bytes != 0) return write_word(element, format, texel);
  for (std::uint32_t c = 0; c < 4; ++c) {
    const std::uint32_t component = component_of(order, c);
    if (c >= order.channels || component == 4) continue;
    if constexpr (sizeof(T) == 8) {
      store_channel(element, c, texel.v[component]);
    } else {
      const std::uint32_t bits = saturated(texel.v[component], type.bits);
      if (type.bits == 8)
        store_channel(element, c, static_cast<std::uint8_t>(bits));
      else if (type.bits == 16)
        store_channel(element, c, static_cast<std::uint16_t>(bits));
      else
        store_channel(element, c, bits);
    }
  }
}

/// read_floats(), read_halves() or read_integers(), by the component's type.
template <class T>
TRANSPIRE_TRANSLATE Texel<T> read_texel(const std::byte* element, ImageFormat format) {
  if constexpr (static_cast<T>(0.5) != T{0})
    return read_floats<T>(element, format);
  else if constexpr (sizeof(T) == 2)
    return read_halves(element, format);
  else
    return read_integers<T>(element, format);
}

/// write_floats(), write_halves() or write_integers(), by the component's type.
template <class T>
TRANSPIRE_TRANSLATE void write_texel(std::byte* element, ImageFormat format,
                                     const Texel<T>& texel) {
  if constexpr (static_cast<T>(0.5) != T{0})
    write_floats(element, format, texel);
  else if constexpr (sizeof(T) == 2)
    write_halves(element, format, texel);
  else
    write_integers(element, format, texel);
}

}  // namespace transpire::memory
