// A second opinion on images, written from the specification's text and sharing nothing with memory/: formats as words of
// letters and bits, conversions in double by the C library, sampling over plain lists of colors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "memory/image.h"
#include "memory/sampler.h"

namespace transpire::test::image_model {

using Color = std::array<double, 4>;

/// An order's channels as they lie in memory: r, g, b, a, i, l, d; capitals are encoded in sRGB, x and s are passed over.
std::string channels_of(memory::ChannelOrder order);
/// u: normalized unsigned, s: normalized signed, I: signed, U: unsigned, h: half, f: float.
char kind_of(memory::ChannelType type);

/// A channel's bits in an element, which counts from the least significant one of its first byte.
struct Field {
  std::uint32_t first = 0, bits = 0;
};
Field field_of(memory::ImageFormat format, std::uint32_t channel);
std::uint64_t bits_of(const std::byte* element, Field field);
void set_bits(std::byte* element, Field field, std::uint64_t bits);

/// The number that a channel's bits are, before sRGB is decoded.
double number_of(std::uint64_t bits, Field field, char kind);
/// The components of an element.
Color read(const std::byte* element, memory::ImageFormat format);
/// The A of the border color.
double border_alpha(memory::ChannelOrder order);

double half_number(std::uint16_t half);
/// The nearest half, halfway the even one. Not for NaN.
std::uint16_t nearest_half(double number);
double srgb_to_linear(double encoded);
double linear_to_srgb(double linear);
/// The bits of a normalized channel for a value that is no NaN.
std::int64_t normalized(double value, std::uint32_t bits, bool is_signed);

/// All formats.
std::vector<memory::ImageFormat> formats();

/// An image as colors.
struct Picture {
  memory::ImageDim dim = memory::ImageDim::k2D;
  int size[3] = {1, 1, 1};  ///< along each coordinate, an array's layers included
  double border_alpha = 0;
  std::vector<Color> colors;  ///< x first

  Color at(int x, int y, int z) const;
};

struct Sampled {
  Color color{};
  bool is_outside = false, is_not_finite = false;
  double largest = 0;  ///< of the components of the selected texels
};

/// A read with a sampler. Coordinates are computed in F, float or double, colors in double.
template <class F>
Sampled sample(const Picture& picture, const memory::Sampler& sampler,
               const float (&coordinate)[3]);
Sampled sample(const Picture& picture, const memory::Sampler& sampler,
               const std::int32_t (&coordinate)[3]);

}  // namespace transpire::test::image_model
