// Sampling: from a coordinate to the texels that it selects, their weights, and the filtered color, by the formulae of
// OpenCL C 2.0, "Image Addressing and Filtering" (OpenCL SPIR-V Environment has the same).
//
// F is the arithmetic: float for the fast mode, whose operations each round once and are the same on every instruction
// set; double for the reference mode, whose result is then rounded once. Coordinates (C) are float, which both take as
// they are, or std::int32_t.
//
// Undefined accesses are reported (SampleFaults), and still give a defined value:
//  - a NaN counts as 0, and so does an infinity if the addressing mode repeats; otherwise an infinity is the coordinate
//    that is farthest out;
//  - a texel outside of the image is the border color, with the addressing mode none, too;
//  - texels of integers are never filtered, the nearest one is read;
//  - integer coordinates name texels, whatever the sampler says about normalized coordinates and filters;
//  - coordinates that are not normalized are divided by the size first where the addressing mode repeats.
#pragma once

#include <cstdint>
#include <type_traits>

#include "memory/cube.h"
#include "memory/image.h"
#include "memory/sampler.h"
#include "memory/texel.h"

namespace transpire::memory {

/// Reasons why an access is undefined, a bit each.
using SampleFaults = std::uint32_t;
/// The addressing mode is none, and a selected texel lies outside of the image, even with weight 0 in a linear filter.
inline constexpr SampleFaults kOutside = 1;
/// A coordinate, a level of detail or a gradient is NaN or infinite.
inline constexpr SampleFaults kNotFinite = 2;

/// A coordinate beyond every side (kMaxSide). All coordinates beyond it select the same texels, and so do all below -kFar.
inline constexpr std::int32_t kFar = 1 << 30;

/// The nearest integer, ties to even; floor_of(): the next integer below.
template <class F>
TRANSPIRE_TRANSLATE F rint_of(F value) {
  constexpr F kWhole = sizeof(F) == 4 ? static_cast<F>(0x1p23) : static_cast<F>(0x1p52);
  const F size = value < 0 ? -value : value;
  const F near = (size + kWhole) - kWhole;
  return !(size < kWhole) ? value : value < 0 ? -near : near;
}
template <class F>
TRANSPIRE_TRANSLATE F floor_of(F value) {
  const F near = rint_of(value);
  return near > value ? near - 1 : near;
}

template <class T>
TRANSPIRE_TRANSLATE bool is_finite(T value) {
  if constexpr (std::is_integral_v<T>) {
    return true;
  } else {
    return value - value == 0;
  }
}

/// Limits a value to [-kFar, kFar]. A NaN becomes 0.
template <class F>
TRANSPIRE_TRANSLATE F within_far(F value) {
  const F low = value < -kFar ? -kFar : value;
  return low > kFar ? F{kFar} : low == low ? low : F{0};
}

TRANSPIRE_TRANSLATE std::int32_t clamped(std::int32_t value, std::int32_t least,
                                         std::int32_t most) {
  return value < least ? least : value > most ? most : value;
}

/// True if texels of T are integers; std::uint16_t are halves.
template <class T>
inline constexpr bool kIsInteger = std::is_integral_v<T> && sizeof(T) != 2;

/// The texels that are selected along one axis. An index outside of [0, size) means the border color.
template <class F>
struct AxisTaps {
  std::int32_t first = 0, second = 0;  ///< equal with the filter nearest
  F weight = 0;                        ///< weight of the second; the first has 1 - weight
};

/// Converts a coordinate to texels: u of "Image Coordinates" and of the repeating modes.
template <class F>
TRANSPIRE_TRANSLATE F in_texels(F coordinate, F size, const Sampler& sampler) {
  if (sampler.addressing < AddressingMode::kRepeat)
    return within_far(sampler.normalized ? coordinate * size : coordinate);
  const F s = sampler.normalized ? coordinate : coordinate / size;
  if (sampler.addressing == AddressingMode::kRepeat) return within_far((s - floor_of(s)) * size);
  const F mirrored = s - 2 * rint_of(s * F{0.5});
  return within_far((mirrored < 0 ? -mirrored : mirrored) * size);
}

/// Applies the addressing mode to a texel's index, by table "Addressing modes to generate texel location".
TRANSPIRE_TRANSLATE std::int32_t address_of(std::int32_t index, std::int32_t size,
                                            AddressingMode mode) {
  switch (mode) {
    case AddressingMode::kNone:
      return index;
    case AddressingMode::kClamp:
      return clamped(index, -1, size);
    case AddressingMode::kRepeat:
      return index < 0 ? index + size : index > size - 1 ? index - size : index;
    default:
      return clamped(index, 0, size - 1);
  }
}

/// Applies the addressing mode to an integer coordinate, which may be any number of periods away.
TRANSPIRE_TRANSLATE std::int32_t address_of_integer(std::int32_t index, std::int32_t size,
                                                    AddressingMode mode) {
  if (mode < AddressingMode::kRepeat) return address_of(index, size, mode);
  const std::int64_t period =
      mode == AddressingMode::kRepeat ? std::int64_t{size} : std::int64_t{size} * 2;
  const std::int64_t rest = index % period, place = rest < 0 ? rest + period : rest;
  return static_cast<std::int32_t>(place < size ? place : period - 1 - place);
}

/// The taps of a coordinate with an offset in texels, which is added before the addressing mode applies (Vulkan, "Texel Gathering", "Texel
/// Filtering").
template <class F>
TRANSPIRE_TRANSLATE AxisTaps<F> taps_beside(F coordinate, std::int32_t size, std::int32_t offset,
                                            const Sampler& sampler) {
  const F length = static_cast<F>(size);
  F u = sampler.normalized ? coordinate * length : coordinate;
  // Far away, any number of whole periods is as good as the coordinate.
  if (sampler.addressing >= AddressingMode::kRepeat && (u < -kFar || u > kFar))
    u = (u / (2 * length) - floor_of(u / (2 * length))) * (2 * length);
  const F from = within_far(u) - (sampler.filter == FilterMode::kLinear ? F{0.5} : F{0});
  const F whole = floor_of(from);
  const std::int32_t index = static_cast<std::int32_t>(whole) + offset;
  const auto address = [&](std::int32_t at) {
    return address_of_integer(at, size, sampler.addressing);
  };
  if (sampler.filter == FilterMode::kNearest) return {address(index), address(index), 0};
  return {address(index), address(index + 1), from - whole};
}

/// The taps of a coordinate along an axis of `side` texels.
template <class F, class C>
TRANSPIRE_TRANSLATE AxisTaps<F> taps_of(C coordinate, std::uint32_t side, const Sampler& sampler) {
  const auto size = static_cast<std::int32_t>(side);
  if constexpr (std::is_integral_v<C>) {
    const std::int32_t index = address_of_integer(coordinate, size, sampler.addressing);
    return {index, index, 0};
  } else {
    const F u = in_texels(static_cast<F>(coordinate), static_cast<F>(size), sampler);
    if (sampler.filter == FilterMode::kNearest) {
      const std::int32_t index =
          address_of(static_cast<std::int32_t>(floor_of(u)), size, sampler.addressing);
      return {index, index, 0};
    }
    const F from = u - F{0.5}, whole = floor_of(from);
    const auto index = static_cast<std::int32_t>(whole);
    return {address_of(index, size, sampler.addressing),
            address_of(index + 1, size, sampler.addressing), from - whole};
  }
}

/// The layer that a read with a sampler selects, by "Selecting an Image from an Image Array".
template <class F, class C>
TRANSPIRE_TRANSLATE std::int32_t layer_of(C coordinate, std::uint32_t layers) {
  const auto most = static_cast<std::int32_t>(layers - 1);
  if constexpr (std::is_integral_v<C>)
    return clamped(coordinate, 0, most);
  else
    return clamped(static_cast<std::int32_t>(rint_of(within_far(static_cast<F>(coordinate)))), 0,
                   most);
}

/// The texels that a coordinate selects in one level.
template <class F>
struct Taps {
  AxisTaps<F> axis[3];
  SampleFaults faults = 0;
};

/// How a sample goes on from its coordinates.
struct SampleTerms {
  bool has_offset = false;
  std::int32_t offset[3] = {};  ///< in texels
  bool is_cube =
      false;  ///< layers are faces of cubes; the coordinates are a face's, with the layer
  bool compares = false;  ///< the texels' first component with the reference
  float reference = 0;
};

/// Selects texels of a level. `coordinate` has the image's coordinates first; the others are ignored. A face of a cube goes on at its
/// edges: indexes from -1 to the size stand for texels of the neighbours.
template <class F, class C>
TRANSPIRE_TRANSLATE Taps<F> select(ImageDim dim, const ImageLevel& level, const Sampler& sampler,
                                   const C (&coordinate)[3], const SampleTerms& terms = {}) {
  Taps<F> taps;
  const std::uint32_t axes = sampled_axes(dim);
  for (std::uint32_t k = 0; k < 3; ++k) {
    if (k >= coordinates(dim)) continue;
    if (!is_finite(coordinate[k])) taps.faults |= kNotFinite;
    if (k < axes) {
      if constexpr (std::is_integral_v<C>)
        taps.axis[k] = taps_of<F>(coordinate[k], level.size[k], sampler);
      else
        taps.axis[k] = terms.has_offset ? taps_beside(static_cast<F>(coordinate[k]),
                                                      static_cast<std::int32_t>(level.size[k]),
                                                      terms.offset[k], sampler)
                                        : taps_of<F>(coordinate[k], level.size[k], sampler);
      const auto size = level.size[k];
      if (sampler.addressing == AddressingMode::kNone && !terms.is_cube &&
          ((static_cast<std::uint32_t>(taps.axis[k].first) >= size) |
           (static_cast<std::uint32_t>(taps.axis[k].second) >= size)))
        taps.faults |= kOutside;
    } else {
      taps.axis[k].first = taps.axis[k].second = layer_of<F>(coordinate[k], level.size[k]);
    }
  }
  return taps;
}

/// The weighted sum of the selected texels, in the order that the specification writes it. `fetch(x, y, z)` gives a
/// Texel<F>, of coordinates outside the border color. `axes`: 1 to 3; 0 takes the first texel alone.
template <class F, class Fetch>
TRANSPIRE_TRANSLATE Texel<F> filter_linear(const Taps<F>& taps, std::uint32_t axes, Fetch fetch) {
  const AxisTaps<F>&x = taps.axis[0], &y = taps.axis[1], &z = taps.axis[2];
  Texel<F> sum{};
  for (std::uint32_t corner = 0; corner < 8; ++corner) {
    if (corner >> axes != 0) continue;
    const bool right = (corner & 1) != 0, below = (corner & 2) != 0, behind = (corner & 4) != 0;
    F weight = right ? x.weight : 1 - x.weight;
    if (axes > 1) weight *= below ? y.weight : 1 - y.weight;
    if (axes > 2) weight *= behind ? z.weight : 1 - z.weight;
    const Texel<F> texel =
        fetch(right ? x.second : x.first, below ? y.second : y.first, behind ? z.second : z.first);
    for (std::uint32_t k = 0; k < 4; ++k)
      sum.v[k] = corner == 0 ? weight * texel.v[k] : sum.v[k] + weight * texel.v[k];
  }
  return sum;
}

/// Reads a texel as the terms say.
template <class T>
TRANSPIRE_TRANSLATE Texel<T> fetch_by_terms(const Image& image, const ImageLevel& level,
                                            const Sampler& sampler, const SampleTerms& terms,
                                            std::int32_t x, std::int32_t y, std::int32_t z) {
  Texel<T> texel = terms.is_cube ? fetch_of_cube<T>(image, level, x, y, z)
                                 : fetch_texel<T>(image, level, x, y, z, sampler.border);
  if constexpr (!std::is_integral_v<T>)
    if (terms.compares)
      texel.v[0] = passes(sampler.passing, reference_for(image.format, terms.reference),
                          static_cast<float>(texel.v[0]))
                       ? T{1}
                       : T{0};
  return texel;
}

/// The components of a gather: of the four texels that a linear filter weighs, counter-clockwise from the lower left one, each one component.
/// With a comparison, its results. `taps` were selected with the filter linear.
template <class T, class F>
TRANSPIRE_TRANSLATE Texel<T> gather(const Image& image, const Sampler& sampler, const Taps<F>& taps,
                                    std::uint32_t component, const SampleTerms& terms) {
  const AxisTaps<F>&x = taps.axis[0], &y = taps.axis[1];
  const std::int32_t places[4][2] = {
      {x.first, y.second}, {x.second, y.second}, {x.second, y.first}, {x.first, y.first}};
  Texel<T> gathered{};
  for (std::uint32_t k = 0; k < 4; ++k)
    gathered.v[k] = fetch_by_terms<T>(image, image.level[0], sampler, terms, places[k][0],
                                      places[k][1], taps.axis[2].first)
                        .v[component];
  return gathered;
}

/// The levels that a level of detail selects, and the second one's weight.
template <class F>
struct LevelTaps {
  std::uint32_t first = 0, second = 0;
  F weight = 0;
};

/// The level of detail is first limited to the sampler's range, then to the levels. Between two levels, nearest means
/// the one with more texels where both are as near (OpenGL 4.6, "Mipmapping", which cl_khr_mipmap_image is made for).
template <class F>
TRANSPIRE_TRANSLATE LevelTaps<F> select_levels(std::uint32_t levels, const Sampler& sampler,
                                               F lod) {
  const F most = static_cast<F>(static_cast<std::int32_t>(levels - 1));
  F limited = lod > sampler.lod_min ? lod : F{sampler.lod_min};
  limited = limited < sampler.lod_max ? limited : F{sampler.lod_max};
  limited = limited < most ? limited : most;
  const F whole = floor_of(limited), rest = limited - whole;
  const auto first = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole));
  const std::uint32_t next = first + (rest > 0 ? 1 : 0);
  if (sampler.mip_filter == FilterMode::kLinear) return {first, next, rest};
  const std::uint32_t nearest = rest > F{0.5} ? next : first;
  return {nearest, nearest, 0};
}

/// log2 of a positive finite number: the exponent, and an odd series in (m - 1) / (m + 1) of the mantissa m around 1.
/// Within 2^-22 in float, 2^-44 in double.
template <class F>
TRANSPIRE_TRANSLATE F log2_of(F value) {
  using Bits = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;
  constexpr std::uint32_t kMantissa = sizeof(F) == 4 ? 23 : 52, kBias = sizeof(F) == 4 ? 127 : 1023;
  constexpr std::int32_t kTerms = sizeof(F) == 4 ? 5 : 10;
  const auto bits = __builtin_bit_cast(Bits, value);
  const Bits one = Bits{kBias} << kMantissa;
  const auto m = __builtin_bit_cast(F, (bits & ((Bits{1} << kMantissa) - 1)) | one);
  const bool is_high = m > static_cast<F>(1.4142135623730951);
  const F near = is_high ? m * F{0.5} : m, z = (near - 1) / (near + 1), square = z * z;
  F series = 0;
  for (std::int32_t k = kTerms; k >= 0; --k) series = series * square + F{1} / (2 * k + 1);
  const std::int32_t exponent =
      static_cast<std::int32_t>(bits >> kMantissa) - static_cast<std::int32_t>(kBias) + is_high;
  return static_cast<F>(exponent) + static_cast<F>(2.8853900817779268) * z * series;
}

/// The level of detail of gradients, which are differences of coordinates (OpenGL 4.6, "Scale Factor and Level of
/// Detail"): the logarithm of the longer one, in texels.
template <class F>
TRANSPIRE_TRANSLATE F lod_of_gradients(const Image& image, const Sampler& sampler,
                                       const float (&dx)[3], const float (&dy)[3],
                                       SampleFaults& faults) {
  F x = 0, y = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    if (k >= sampled_axes(image.dim)) continue;
    const F scale = sampler.normalized
                        ? static_cast<F>(static_cast<std::int32_t>(image.level[0].size[k]))
                        : F{1};
    const F along_x = static_cast<F>(dx[k]) * scale, along_y = static_cast<F>(dy[k]) * scale;
    if (!is_finite(dx[k]) || !is_finite(dy[k])) faults |= kNotFinite;
    x += along_x * along_x;
    y += along_y * along_y;
  }
  const F longer = x > y ? x : y;
  constexpr F kLeast = static_cast<F>(0x1p-100), kMost = static_cast<F>(0x1p100);
  const F limited = longer > kLeast ? longer : kLeast;
  return F{0.5} * log2_of(limited < kMost ? limited : kMost);
}

/// The texels that a sample is made of: of one level, or of two that are mixed.
template <class F>
struct Selection {
  LevelTaps<F> levels;  ///< the second one counts if it has a weight
  Taps<F> taps[2];
  bool is_linear = false;  ///< the texels of a level are filtered
};

/// Selects the texels of a sample. Integers (`is_integer`) are not filtered. Faults are added to `faults`.
template <class F, class C>
TRANSPIRE_TRANSLATE Selection<F> select_texels(const Image& image, const Sampler& sampler,
                                               const C (&coordinate)[3], F lod, bool is_integer,
                                               SampleFaults& faults, const SampleTerms& terms) {
  if (!is_finite(lod)) faults |= kNotFinite;
  Sampler used = sampler;
  if (is_integer) used.filter = FilterMode::kNearest;
  Selection<F> selected;
  selected.is_linear = !std::is_integral_v<C> && used.filter == FilterMode::kLinear;
  LevelTaps<F>& levels = selected.levels;
  levels = select_levels(image.levels, sampler, lod);
  if (is_integer) levels.weight = 0;
  for (std::uint32_t n = 0; n < (levels.weight != 0 ? 2u : 1u); ++n) {
    const ImageLevel& level = image.level[n == 0 ? levels.first : levels.second];
    selected.taps[n] = select<F>(image.dim, level, used, coordinate, terms);
    faults |= selected.taps[n].faults;
  }
  return selected;
}

/// The color of a sample's texels in the arithmetic F.
template <class F>
TRANSPIRE_TRANSLATE Texel<F> color_of(const Image& image, const Sampler& sampler,
                                      const Selection<F>& selected, const SampleTerms& terms) {
  const LevelTaps<F>& levels = selected.levels;
  Texel<F> color{};
  for (std::uint32_t n = 0; n < (levels.weight != 0 ? 2u : 1u); ++n) {
    const ImageLevel& level = image.level[n == 0 ? levels.first : levels.second];
    const Texel<F> texel = filter_linear(
        selected.taps[n], selected.is_linear ? sampled_axes(image.dim) : 0,
        [&](std::int32_t x, std::int32_t y, std::int32_t z) __attribute__((always_inline)) {
          return fetch_by_terms<F>(image, level, sampler, terms, x, y, z);
        });
    for (std::uint32_t k = 0; k < 4; ++k)
      color.v[k] = levels.weight == 0 ? texel.v[k]
                   : n == 0           ? (1 - levels.weight) * texel.v[k]
                                      : color.v[k] + levels.weight * texel.v[k];
  }
  return color;
}

/// The texel of a sample: of float, integers, or halves' bits (std::uint16_t), which are rounded from F once.
template <class T, class F>
TRANSPIRE_TRANSLATE Texel<T> texel_of(const Image& image, const Sampler& sampler,
                                      const Selection<F>& selected, const SampleTerms& terms) {
  const bool is_copy = selected.levels.weight == 0 && !selected.is_linear;
  if (kIsInteger<T> || is_copy) {
    const AxisTaps<F>(&axis)[3] = selected.taps[0].axis;
    return fetch_by_terms<T>(image, image.level[selected.levels.first], sampler, terms,
                             axis[0].first, axis[1].first, axis[2].first);
  }
  Texel<T> result{};
  if constexpr (!kIsInteger<T>) {
    const Texel<F> color = color_of(image, sampler, selected, terms);
    for (std::uint32_t k = 0; k < 4; ++k) {
      if constexpr (std::is_same_v<T, std::uint16_t>)
        result.v[k] = half_from_double(color.v[k]);
      else
        result.v[k] = static_cast<T>(color.v[k]);
    }
  }
  return result;
}

/// OpImageSampleExplicitLod and OpImageSampleDrefExplicitLod. Faults are added to `faults`.
template <class F, class T, class C>
TRANSPIRE_TRANSLATE Texel<T> sample(const Image& image, const Sampler& sampler,
                                    const C (&coordinate)[3], F lod, SampleFaults& faults,
                                    const SampleTerms& terms = {}) {
  return texel_of<T>(image, sampler,
                     select_texels(image, sampler, coordinate, lod, kIsInteger<T>, faults, terms),
                     terms);
}

}  // namespace transpire::memory
