// Sampling, of the model: "Image Addressing and Filtering" word by word.
#include <algorithm>
#include <cmath>

#include "tests/memory/image_model.h"

namespace transpire::test::image_model {

using memory::AddressingMode;
using memory::FilterMode;
using memory::ImageDim;
using memory::Sampler;

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
