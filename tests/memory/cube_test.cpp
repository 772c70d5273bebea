// Cubes: the face that a direction meets, texels beyond the edges of a face, and comparisons with depths.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>

#include "memory/sample.h"

namespace transpire::test {
namespace {

using namespace memory;

using Point = std::tuple<int, int, int>;

/// A cube of numbered texels, with the point of each texel's centre: along its face from -size to size, on the face's axis -size or size.
struct Cube {
  int size;
  Image image;
  std::vector<float> texels;
  std::map<Point, float> numbers;

  explicit Cube(int size_in_texels) : size(size_in_texels) {
    const auto side = static_cast<std::uint64_t>(size);
    const ImageFormat format{ChannelOrder::kR, ChannelType::kFloat};
    REQUIRE(lay_out({.dim = ImageDim::k2DArray,
                     .format = format,
                     .width = side,
                     .height = side,
                     .array_size = 6},
                    image) == ShapeError::kNone);
    texels.resize(side * side * 6);
    image.texels = reinterpret_cast<std::byte*>(texels.data());
    for (int face = 0, number = 0; face < 6; ++face)
      for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x, ++number) {
          texels[static_cast<std::size_t>(number)] = static_cast<float>(number);
          numbers[point(face, 2 * x + 1 - size, 2 * y + 1 - size, size)] =
              static_cast<float>(number);
        }
  }

  /// By the table of faces: s and t grow to the right and downwards on each.
  static Point point(int face, int s, int t, int out) {
    switch (face) {
      case 0:
        return {out, -t, -s};
      case 1:
        return {-out, -t, s};
      case 2:
        return {s, out, t};
      case 3:
        return {s, -out, -t};
      case 4:
        return {s, -t, out};
      default:
        return {-s, -t, -out};
    }
  }

  float at(int x, int y, int face) const {
    return fetch_of_cube<float>(image, image.level[0], x, y, face).v[0];
  }
};

}  // namespace

TEST_CASE("beyond the edge of a face lies the neighbour's texel that touches it") {
  for (const int size : {1, 2, 3, 8}) {
    const Cube cube(size);
    for (int face = 0; face < 6; ++face)
      for (int k = 0; k < size; ++k) {
        CAPTURE(size);
        CAPTURE(face);
        CAPTURE(k);
        const int along = 2 * k + 1 - size;
        // Over the edge the centre is as far out as the edge is, and one half of a texel inwards.
        CHECK(cube.at(-1, k, face) == cube.numbers.at(Cube::point(face, -size, along, size - 1)));
        CHECK(cube.at(size, k, face) == cube.numbers.at(Cube::point(face, size, along, size - 1)));
        CHECK(cube.at(k, -1, face) == cube.numbers.at(Cube::point(face, along, -size, size - 1)));
        CHECK(cube.at(k, size, face) == cube.numbers.at(Cube::point(face, along, size, size - 1)));
      }
  }
}

TEST_CASE("beyond a corner lies the mean of the three texels around it") {
  const Cube cube(2);
  for (int face = 0; face < 6; ++face)
    CHECK(cube.at(2, -1, face) ==
          doctest::Approx((cube.at(1, 0, face) + cube.at(2, 0, face) + cube.at(1, -1, face)) / 3));
}

TEST_CASE("a direction meets the face of its greatest component, of equal ones z's, then y's") {
  const Cube cube(8);
  for (const auto& [point, number] : cube.numbers) {
    const auto [x, y, z] = point;
    const float direction[3] = {static_cast<float>(x) * 0.25f, static_cast<float>(y) * 0.25f,
                                static_cast<float>(z) * 0.25f};
    float place[3];
    select_face(direction, place);
    CHECK(cube.at(static_cast<int>(place[0] * 8), static_cast<int>(place[1] * 8),
                  static_cast<int>(place[2])) == number);
  }
  const auto face_met = [](float x, float y, float z) {
    const float direction[3] = {x, y, z};
    return face_of(direction);
  };
  CHECK(face_met(1, 1, 1) == 4);
  CHECK(face_met(1, -1, 0.5f) == 3);
  CHECK(face_met(-1, 0.5f, -1) == 5);
}

TEST_CASE("a reference passes by its relation to the texel; a NaN only differs") {
  for (unsigned relations = 0; relations < 8; ++relations) {
    const auto passing = static_cast<Relations>(relations);
    CAPTURE(relations);
    CHECK(passes(passing, 1, 2) == ((relations & kLess) != 0));
    CHECK(passes(passing, 2, 2) == ((relations & kEqual) != 0));
    CHECK(passes(passing, 3, 2) == ((relations & kGreater) != 0));
    CHECK(passes(passing, NAN, 2) == (relations == 5 || relations == 7));
    CHECK(unpack_sampler(pack({.compares = true, .passing = passing})).passing == passing);
    CHECK(unpack_sampler(pack({.compares = true, .passing = passing})).compares);
  }
  CHECK(reference_for({ChannelOrder::kDepth, ChannelType::kUnormInt16}, 1.5f) == 1);
  CHECK(reference_for({ChannelOrder::kDepth, ChannelType::kFloat}, 1.5f) == 1.5f);
}

TEST_CASE("an offset is added before the addressing mode applies, any number of periods away") {
  Sampler sampler{AddressingMode::kMirroredRepeat, true, FilterMode::kNearest};
  const auto selected = [&](float coordinate, std::int32_t offset) {
    return taps_beside(coordinate, 4, offset, sampler).first;
  };
  CHECK(selected(0.1f, 0) == 0);
  CHECK(selected(0.1f, -1) == 0);
  CHECK(selected(0.1f, -2) == 1);
  CHECK(selected(0.9f, 3) == 1);
  CHECK(selected(1.1f, 0) == 3);
  CHECK(selected(1.1f, 1) == 2);
  CHECK(selected(1e30f, 0) == selected(0, 0));
  sampler.addressing = AddressingMode::kRepeat;
  CHECK(selected(0.9f, 7) == 2);
  CHECK(selected(-0.1f, 0) == 3);
  sampler.addressing = AddressingMode::kClamp;
  CHECK(selected(0.9f, 7) == 4);
  CHECK(selected(NAN, 2) == 2);
}

}  // namespace transpire::test
