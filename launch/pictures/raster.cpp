#include "launch/pictures/raster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

constexpr std::uint64_t kMostPixels = 0x7fffffff;  // limit of a side in the PNG format

/// Colours of a pixel, from 0 (black) to 1.
struct Shade {
  std::array<double, 3> colours{};
  double alpha = 1;
  bool is_nan = false;
};

double number_of(const Channel& channel, std::span<const std::byte> pixel) {
  return to_double(channel.load(pixel), channel.type());
}

/// Calls `use(number, channel)` for the colours of all pixels, without alpha.
template <class Use>
void for_colours(const Raster& raster, std::span<const std::byte> bytes, const StepLimit& limit,
                 Use use) {
  Pacer pacer(limit);
  for (std::uint64_t row = 0; row < raster.rows; ++row)
    for (std::uint64_t column = 0; column < raster.columns; ++column, pacer.step())
      for (const auto& colour : raster.colours)
        if (colour) use(number_of(*colour, bytes.subspan(raster.offset(row, column))));
}

bool is_fraction(ChannelScale scale) {
  return scale == ChannelScale::kUnorm || scale == ChannelScale::kSnorm;
}

/// The number as a shade from 0 to 1.
double shade_of(double number, const Channel& channel, ChannelScale scale,
                const ShownRange& range) {
  if (is_fraction(scale)) {
    const auto greatest = static_cast<double>(Texels::greatest(channel));
    const double fraction = std::max(number / greatest, -1.0);
    return scale == ChannelScale::kUnorm ? fraction : (fraction + 1) / 2;
  }
  if (range.high == range.low) return scale == ChannelScale::kSigned ? 0.5 : number == 0 ? 0 : 1;
  // Halves, because the distance of the greatest floats is infinite.
  return std::clamp((number / 2 - range.low / 2) / (range.high / 2 - range.low / 2), 0.0, 1.0);
}

struct Form {
  std::uint64_t columns, rows;
  unsigned channels;      ///< 1: grey, 2: grey and alpha, 3: colours, 4: colours and alpha
  unsigned sample_bytes;  ///< bytes of a sample
};

/// A PNG file whose pixels `shade_at(row, column)` gives.
template <class ShadeAt>
Result<std::vector<std::byte>> png_of(const Form& form, const StepLimit& limit, ShadeAt shade_at) {
  if (form.columns > kMostPixels || form.rows > kMostPixels)
    return command_error(
        kFileUnwritable,
        fmt::format("no picture of {} x {} pixels can be made: a side has at most {}", form.columns,
                    form.rows, kMostPixels));
  std::vector<std::byte> samples;
  samples.reserve(form.columns * form.rows * form.channels * form.sample_bytes);
  const double white = form.sample_bytes == 2 ? 65535 : 255;
  const auto put = [&](double number) {
    const auto sample = static_cast<std::uint32_t>(std::floor(number * white + 0.5));
    if (form.sample_bytes == 2) samples.push_back(static_cast<std::byte>(sample >> 8));
    samples.push_back(static_cast<std::byte>(sample & 255));
  };
  const bool has_colours = form.channels > 2;
  Pacer pacer(limit);
  for (std::uint64_t row = 0; row < form.rows; ++row) {
    for (std::uint64_t column = 0; column < form.columns; ++column, pacer.step()) {
      Shade shade = shade_at(row, column);
      if (shade.is_nan) shade.colours = {1, 0, 1};  // magenta
      for (unsigned c = 0; c < (has_colours ? 3 : 1); ++c) put(shade.colours[c]);
      if (form.channels % 2 == 0) put(shade.alpha);
    }
  }
  return png_file(form.columns, form.rows, form.channels, form.sample_bytes, samples, limit);
}

bool is_deep(const Raster& raster) {
  return raster.scale == ChannelScale::kUnorm &&
         std::ranges::any_of(raster.colours,
                             [](const auto& c) { return c && Texels::greatest(*c) > 255; });
}

bool shows_alpha(const Raster& raster) {
  return raster.alpha && raster.scale == ChannelScale::kUnorm;
}

/// Distance of two pixels' numbers in a channel; NaN if only one of them is NaN.
double distance_of(const Channel& channel, std::span<const std::byte> a,
                   std::span<const std::byte> b) {
  const double expected = number_of(channel, a), found = number_of(channel, b);
  if (expected == found || (std::isnan(expected) && std::isnan(found))) return 0;
  return std::abs(expected - found);
}

/// Differences of colours and alpha, not scaled.
Shade difference_of(const Raster& raster, std::span<const std::byte> a,
                    std::span<const std::byte> b) {
  Shade shade;
  const double alpha = raster.alpha ? distance_of(*raster.alpha, a, b) : 0;
  shade.is_nan = std::isnan(alpha);
  for (std::size_t c = 0; c < 3; ++c) {
    const auto& colour = raster.colours[raster.colours.size() == 1 ? 0 : c];
    const double distance = colour ? distance_of(*colour, a, b) : 0;
    shade.is_nan |= std::isnan(distance);
    shade.colours[c] = std::max(distance, alpha);
  }
  return shade;
}

}  // namespace

ScalarType Raster::type() const {
  for (const auto& colour : colours)
    if (colour) return colour->type();
  return ScalarType::kUchar;
}

Raster raster_of(const Texels& texels) {
  const auto named = [&](std::string_view name) -> std::optional<Channel> {
    const auto found = std::ranges::find(texels.channels(), name, &Channel::name);
    return found == texels.channels().end() ? std::nullopt : std::optional(*found);
  };
  Raster raster;
  raster.scale = texels.scale();
  if (named("G"))
    raster.colours = {named("R"), named("G"), named("B")};
  else
    raster.colours = {texels.channels()[0]};
  if (texels.channels().size() > 1) {
    raster.alpha = named("A");
    if (raster.alpha && raster.colours.size() == 1) raster.colours = {named("R")};
  }
  const ImageDescription& image = texels.image();
  const bool has_rows =
      image.dim == ImageDim::k2D || image.dim == ImageDim::k2DArray || image.dim == ImageDim::k3D;
  const bool has_layers = image.dim == ImageDim::k1DArray || image.dim == ImageDim::k2DArray;
  raster.pixel_bytes = texels.bytes();
  raster.columns = image.width * texels.samples();
  raster.row_bytes = image.row_pitch;
  raster.slice_bytes = image.slice_pitch;
  raster.slice_rows = has_rows ? image.height : 1;
  raster.rows = raster.slice_rows * (has_layers                   ? image.layers
                                     : image.dim == ImageDim::k3D ? image.depth
                                                                  : std::uint64_t{1});
  return raster;
}

Result<Raster> raster_of(const std::string& path, const Pixels& pixels) {
  const std::vector<Leaf> leaves = leaves_of(pixels.type);
  const bool same =
      std::ranges::all_of(leaves, [&](const Leaf& leaf) { return leaf.type == leaves[0].type; });
  if (leaves.empty() || !same || leaves.size() > 4)
    return command_error(
        kFileUnwritable,
        fmt::format("cannot write '{}': a pixel has one to four numbers of one type, '{}' has {}",
                    path, pixels.name, text_of(pixels.type)),
        "'as TYPE' takes the bytes for another type, as in 'as float'");
  const std::uint64_t stride = stride_bytes(pixels.type);
  const auto plane = plane_of(path, pixels, stride / size_bytes(leaves[0].type));
  if (!plane) return plane.errors();
  const std::uint64_t numbers = leaves.size() * plane->numbers;
  if (numbers > 4)
    return command_error(
        kFileUnwritable,
        fmt::format("cannot write '{}': a pixel has one to four numbers, those of '{}' have {}",
                    path, pixels.name, numbers));
  Raster raster;
  raster.columns = plane->columns;
  raster.rows = raster.slice_rows = plane->rows;
  raster.pixel_bytes = stride * plane->numbers;
  raster.row_bytes = raster.pixel_bytes * raster.columns;
  raster.slice_bytes = raster.row_bytes * raster.rows;
  const ScalarType type = leaves[0].type;
  raster.scale = is_float(type)    ? ChannelScale::kFloat
                 : is_signed(type) ? ChannelScale::kSigned
                                   : ChannelScale::kUnsigned;
  raster.colours.resize(numbers == 1 ? 1 : 3);
  for (std::size_t c = 0; c < std::min<std::uint64_t>(numbers, 3); ++c)
    raster.colours[c] =
        Channel{fmt::to_string(c), static_cast<std::uint32_t>(c * size_bytes(type)), type};
  return raster;
}

void ShownRange::add(const ShownRange& other) {
  has_nan |= other.has_nan;
  if (other.is_empty) return;
  low = is_empty ? other.low : std::min(low, other.low);
  high = is_empty ? other.high : std::max(high, other.high);
  is_empty = false;
}

ShownRange range_of(const Raster& raster, std::span<const std::byte> bytes,
                    const StepLimit& limit) {
  ShownRange range;
  if (is_fraction(raster.scale)) return range;
  for_colours(raster, bytes, limit, [&](double number) {
    range.has_nan |= std::isnan(number);
    if (std::isfinite(number)) range.add({number, number, false});
  });
  if (raster.scale != ChannelScale::kSigned) return range;
  const double most = std::max(std::abs(range.low), std::abs(range.high));
  range.low = -most;
  range.high = most;
  return range;
}

std::string text_of(const ShownRange& range, const Raster& raster) {
  if (is_fraction(raster.scale)) return {};
  const std::string nan = range.has_nan ? ", NaN in magenta" : "";
  if (range.is_empty) return "no finite number" + nan;
  if (!is_float(raster.type())) return fmt::format("{:.0f} .. {:.0f}", range.low, range.high);
  const auto number = [&](double value) {
    return format_number(from_double(value, raster.type()), raster.type());
  };
  return fmt::format("{} .. {}{}", number(range.low), number(range.high), nan);
}

Result<std::vector<std::byte>> picture_of(const Raster& raster, const ShownRange& range,
                                          std::span<const std::byte> bytes,
                                          const StepLimit& limit) {
  Form form{raster.columns, raster.rows, raster.colours.size() == 1 && !range.has_nan ? 1U : 3U,
            is_deep(raster) ? 2U : 1U};
  form.channels += shows_alpha(raster) ? 1 : 0;
  return png_of(form, limit, [&](std::uint64_t row, std::uint64_t column) {
    const auto pixel = bytes.subspan(raster.offset(row, column));
    Shade shade;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto& colour = raster.colours[raster.colours.size() == 1 ? 0 : c];
      if (!colour) continue;
      const double number = number_of(*colour, pixel);
      shade.is_nan |= std::isnan(number);
      shade.colours[c] = std::isnan(number) ? 0 : shade_of(number, *colour, raster.scale, range);
    }
    if (shows_alpha(raster))
      shade.alpha = shade_of(number_of(*raster.alpha, pixel), *raster.alpha, raster.scale, range);
    return shade;
  });
}

Result<std::vector<std::byte>> difference_picture(const Raster& raster,
                                                  std::span<const std::byte> expected,
                                                  std::span<const std::byte> found,
                                                  const StepLimit& limit) {
  const auto difference_at = [&](std::uint64_t row, std::uint64_t column) {
    const std::uint64_t at = raster.offset(row, column);
    return difference_of(raster, expected.subspan(at), found.subspan(at));
  };
  double most = 0;
  bool has_nan = false;
  Pacer pacer(limit);
  for (std::uint64_t row = 0; row < raster.rows; ++row) {
    for (std::uint64_t column = 0; column < raster.columns; ++column, pacer.step()) {
      const Shade shade = difference_at(row, column);
      has_nan |= shade.is_nan;
      for (const double distance : shade.colours)
        if (std::isfinite(distance)) most = std::max(most, distance);
    }
  }
  const Form form{raster.columns, raster.rows, raster.colours.size() == 1 && !has_nan ? 1U : 3U, 1};
  return png_of(form, limit, [&](std::uint64_t row, std::uint64_t column) {
    Shade shade = difference_at(row, column);
    for (double& distance : shade.colours)
      distance = distance == 0 || std::isnan(distance) ? 0
                 : std::isinf(distance)                ? 1
                                                       : distance / most;
    return shade;
  });
}

}  // namespace transpire::launch
