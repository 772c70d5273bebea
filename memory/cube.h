// Cubes: six square layers of an image, one for each face. From a direction to a face and a place in it, and from a texel beyond a
// face's edge to the neighbour's; and comparisons with depths.
//
//     layer of a cube   0    1    2    3    4    5
//     face             +x   -x   +y   -y   +z   -z
//
// Source: Vulkan 1.3, "Cube Map Face Selection", "Cube Map Coordinate Transformation", "Cube Map Edge Handling" and "Depth Compare
// Operation".
#pragma once

#include <cstdint>

#include "memory/image.h"
#include "memory/sampler.h"
#include "memory/texel.h"

namespace transpire::memory {

/// Reads a texel of a level. Outside of the level it gives the border color.
template <class T>
TRANSPIRE_TRANSLATE Texel<T> fetch_texel(const Image& image, const ImageLevel& level,
                                         std::int32_t x, std::int32_t y, std::int32_t z,
                                         Border border = Border::kTransparentBlack) {
  if (!level.holds(x, y, z)) return border_of<T>(image.format.order, border);
  return read_texel<T>(image.texels + texel_offset(image, level, x, y, z), image.format);
}

/// A face of a cube, with coordinates from -1 to 1 along its sides and the greatest component of the direction, which is positive.
template <class F>
struct CubePlace {
  std::uint32_t face = 0;
  F s = 0, t = 0, major = 1;
};

/// The components of a direction, or of a derivative, as a face has them: along its sides, and towards the face.
template <class F>
TRANSPIRE_TRANSLATE CubePlace<F> along_face(std::uint32_t face, const F (&r)[3]) {
  switch (face) {
    case 0:
      return {face, -r[2], -r[1], r[0]};
    case 1:
      return {face, r[2], -r[1], -r[0]};
    case 2:
      return {face, r[0], r[2], r[1]};
    case 3:
      return {face, r[0], -r[2], -r[1]};
    case 4:
      return {face, r[0], -r[1], r[2]};
    default:
      return {face, -r[0], -r[1], -r[2]};
  }
}

/// The face that a direction meets: that of its greatest component; of equal ones z's, then y's.
template <class F>
TRANSPIRE_TRANSLATE std::uint32_t face_of(const F (&r)[3]) {
  const F x = r[0] < 0 ? -r[0] : r[0], y = r[1] < 0 ? -r[1] : r[1], z = r[2] < 0 ? -r[2] : r[2];
  const std::uint32_t axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  return axis * 2 + (r[axis] < 0 ? 1 : 0);
}

/// The direction to a place of a face's plane, which may lie beyond the face.
TRANSPIRE_TRANSLATE void direction_of(std::uint32_t face, double s, double t, double (&r)[3]) {
  const double sign = (face & 1) != 0 ? -1 : 1;
  const std::uint32_t axis = face / 2;
  r[axis] = sign;
  if (axis == 0) {
    r[2] = -sign * s;
    r[1] = -t;
  } else if (axis == 1) {
    r[0] = s;
    r[2] = sign * t;
  } else {
    r[0] = sign * s;
    r[1] = -t;
  }
}

/// The coordinates of a direction's place on its face, from 0 to 1, and the face's number.
template <class F>
TRANSPIRE_TRANSLATE void select_face(const float (&direction)[3], F (&coordinate)[3]) {
  const F r[3] = {direction[0], direction[1], direction[2]};
  const CubePlace<F> at = along_face(face_of(r), r);
  coordinate[0] = F{0.5} * at.s / at.major + F{0.5};
  coordinate[1] = F{0.5} * at.t / at.major + F{0.5};
  coordinate[2] = static_cast<F>(static_cast<std::int32_t>(at.face));
}

/// A derivative of a direction as that of its place on the face.
template <class F>
TRANSPIRE_TRANSLATE void project_gradient(const float (&direction)[3], float (&gradient)[3]) {
  const F r[3] = {direction[0], direction[1], direction[2]};
  const F d[3] = {gradient[0], gradient[1], gradient[2]};
  const std::uint32_t face = face_of(r);
  const CubePlace<F> at = along_face(face, r), by = along_face(face, d);
  const F square = 2 * at.major * at.major;
  gradient[0] = static_cast<float>((at.major * by.s - at.s * by.major) / square);
  gradient[1] = static_cast<float>((at.major * by.t - at.t * by.major) / square);
  gradient[2] = 0;
}

/// Reads the texel of the neighbour where one of the coordinates is -1 or the size. `z`: a layer.
template <class T>
TRANSPIRE_TRANSLATE Texel<T> fetch_neighbour(const Image& image, const ImageLevel& level,
                                             std::int32_t x, std::int32_t y, std::int32_t z) {
  const double size = level.size[0];
  double r[3] = {};
  direction_of(static_cast<std::uint32_t>(z % 6), (2 * x + 1) / size - 1, (2 * y + 1) / size - 1,
               r);
  const std::uint32_t face = face_of(r);
  const CubePlace<double> at = along_face(face, r);
  const auto index = [&](double along) {
    return static_cast<std::int32_t>((along / at.major + 1) * 0.5 * size);
  };
  return fetch_texel<T>(image, level, index(at.s), index(at.t),
                        z - z % 6 + static_cast<std::int32_t>(face));
}

/// Reads a texel of a face or beside it. Beside a corner there is none: it is the mean of the three around the corner.
template <class T>
TRANSPIRE_TRANSLATE Texel<T> fetch_of_cube(const Image& image, const ImageLevel& level,
                                           std::int32_t x, std::int32_t y, std::int32_t z) {
  const auto size = static_cast<std::int32_t>(level.size[0]);
  const std::int32_t most = size - 1;
  const std::int32_t in_x = x < 0 ? 0 : x > most ? most : x, in_y = y < 0 ? 0 : y > most ? most : y;
  if (in_x == x && in_y == y) return fetch_texel<T>(image, level, x, y, z);
  if (in_x == x || in_y == y) return fetch_neighbour<T>(image, level, x, y, z);
  Texel<T> mean = fetch_texel<T>(image, level, in_x, in_y, z);
  const Texel<T> beside = fetch_neighbour<T>(image, level, x, in_y, z);
  const Texel<T> above = fetch_neighbour<T>(image, level, in_x, y, z);
  if constexpr (!std::is_integral_v<T>)
    for (std::uint32_t k = 0; k < 4; ++k) mean.v[k] = (mean.v[k] + beside.v[k] + above.v[k]) / 3;
  return mean;
}

/// The reference as it is compared: formats of fractions hold numbers from 0 to 1 only.
TRANSPIRE_TRANSLATE float reference_for(ImageFormat format, float reference) {
  if (row_of(format.type).kind == ChannelKind::kFloat) return reference;
  return reference > 0 ? reference < 1 ? reference : 1 : 0;
}

/// True if the reference passes against a texel. NaNs are less than nothing and equal to nothing, but differ.
TRANSPIRE_TRANSLATE bool passes(Relations passing, float reference, float texel) {
  if (reference < texel) return (passing & kLess) != 0;
  if (reference == texel) return (passing & kEqual) != 0;
  if (reference > texel) return (passing & kGreater) != 0;
  return (passing & kLess) != 0 && (passing & kGreater) != 0;
}

}  // namespace transpire::memory
