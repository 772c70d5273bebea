// Boxes of texels that are filled and copied, against loops over single texels.
#include "memory/image_copy.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <vector>

namespace transpire::test {
namespace {

using namespace memory;

struct OwnedImage {
  Image image;
  std::vector<std::byte> bytes;

  OwnedImage(const ImageShape& shape, unsigned seed) {
    REQUIRE(lay_out(shape, image) == ShapeError::kNone);
    std::mt19937 random(seed);
    bytes.resize(image.size_bytes);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    image.texels = bytes.data();
  }

  const std::byte* at(std::uint32_t level, std::uint64_t x, std::uint64_t y,
                      std::uint64_t z) const {
    return image.texels + texel_offset(image, image.level[level], static_cast<std::int32_t>(x),
                                       static_cast<std::int32_t>(y), static_cast<std::int32_t>(z));
  }
};

constexpr ImageFormat kRgba16{ChannelOrder::kRGBA, ChannelType::kUnsignedInt16};

const ImageShape kShapes[] = {
    {ImageDim::k1D, kRgba16, 9},
    {ImageDim::k1DArray, kRgba16, 9, 1, 1, 5, 80, 160},
    {ImageDim::k1DBuffer, kRgba16, 9},
    {ImageDim::k2D, kRgba16, 9, 6, 1, 1, 88},
    {ImageDim::k2DArray, kRgba16, 9, 6, 1, 4, 88, 88 * 7},
    {ImageDim::k3D, kRgba16, 9, 6, 4, 1, 0, 72 * 8},
};

ImageBox some_box(const Image& image, std::uint32_t level) {
  ImageBox box;
  for (std::uint32_t k = 0; k < 3; ++k) {
    box.origin[k] = image.level[level].size[k] > 2 ? 1 : 0;
    box.size[k] = image.level[level].size[k] - box.origin[k];
  }
  return box;
}

template <class Visit>
void for_texels(const ImageBox& box, Visit visit) {
  for (std::uint64_t z = 0; z < box.size[2]; ++z)
    for (std::uint64_t y = 0; y < box.size[1]; ++y)
      for (std::uint64_t x = 0; x < box.size[0]; ++x) visit(x, y, z);
}

bool is_in(const ImageBox& box, const std::uint64_t (&at)[3]) {
  bool inside = true;
  for (int k = 0; k < 3; ++k) inside &= at[k] - box.origin[k] < box.size[k];
  return inside;
}

TEST_CASE("to linear memory and back, with pitches and without") {
  for (const ImageShape& shape : kShapes)
    for (const bool has_pitches : {false, true}) {
      CAPTURE(static_cast<int>(shape.dim));
      const OwnedImage from(shape, 1);
      OwnedImage to(shape, 2);
      const OwnedImage before = to;
      const ImageBox box = some_box(from.image, 0);
      const bool is_1d_array = shape.dim == ImageDim::k1DArray;
      const std::uint64_t row = box.size[0] * 8 + (has_pitches ? 5 : 0);
      const std::uint64_t slice = row * (is_1d_array ? 1 : box.size[1]) + (has_pitches ? 3 : 0);
      const LinearPitches pitches = has_pitches ? LinearPitches{row, slice} : LinearPitches{};
      const Checked bytes = linear_bytes(from.image, box, pitches);
      REQUIRE(bytes.fits(100000));
      std::vector<std::byte> linear(bytes.value());
      REQUIRE(copy_to_linear(from.image, 0, box, linear, pitches) == CopyError::kNone);
      int wrong = 0;
      for_texels(box, [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        const std::uint64_t place = x * 8 + y * (is_1d_array ? slice : row) + z * slice;
        wrong += std::memcmp(
            &linear[place], from.at(0, box.origin[0] + x, box.origin[1] + y, box.origin[2] + z), 8);
      });
      CHECK(wrong == 0);
      Image target = to.image;
      target.texels = to.bytes.data();
      REQUIRE(copy_from_linear(target, 0, box, linear, pitches) == CopyError::kNone);
      const OwnedImage& changed = to;
      ImageBox all;
      for (int k = 0; k < 3; ++k) all.size[k] = target.level[0].size[k];
      for_texels(all, [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        const OwnedImage& source = is_in(box, {x, y, z}) ? from : before;
        const std::byte* expected =
            source.bytes.data() + (source.at(0, x, y, z) - source.image.texels);
        wrong += std::memcmp(changed.at(0, x, y, z), expected, 8) != 0;
      });
      CHECK(wrong == 0);
    }
}

TEST_CASE("between images of different kinds and levels") {
  const OwnedImage from({ImageDim::k3D, kRgba16, 9, 6, 4, 1, 0, 0, 2}, 3);
  OwnedImage to({ImageDim::k2DArray, kRgba16, 7, 5, 1, 3, 80}, 4);
  ImageBox box;
  box.origin[0] = 1;
  box.size[0] = 3;
  box.size[1] = 2;
  box.size[2] = 2;
  REQUIRE(copy_box(from.image, 1, box, to.image, 0, {2, 3, 1}) == CopyError::kNone);
  int wrong = 0;
  for_texels(box, [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    wrong += std::memcmp(to.at(0, 2 + x, 3 + y, 1 + z), from.at(1, 1 + x, y, z), 8) != 0;
  });
  CHECK(wrong == 0);
}

TEST_CASE("a color fills its box and nothing else") {
  for (const ImageShape& shape : kShapes) {
    CAPTURE(static_cast<int>(shape.dim));
    OwnedImage filled(shape, 5);
    const OwnedImage before = filled;
    const ImageBox box = some_box(filled.image, 0);
    REQUIRE(fill_box(filled.image, 0, box, Texel<std::uint32_t>{{1, 2, 70000, 4}}) ==
            CopyError::kNone);
    const std::uint16_t expected[4] = {1, 2, 65535, 4};
    int wrong = 0;
    for_texels(whole(filled.image), [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
      const std::byte* now = filled.at(0, x, y, z);
      const std::byte* then = before.bytes.data() + (now - filled.image.texels);
      wrong += std::memcmp(
                   now, is_in(box, {x, y, z}) ? reinterpret_cast<const std::byte*>(expected) : then,
                   8) != 0;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("a color is of the kind of the format, and fills all samples") {
  OwnedImage image(
      {ImageDim::k2D, {ChannelOrder::kBGRA, ChannelType::kUnormInt8}, 3, 2, 1, 1, 0, 0, 1, 4}, 6);
  const ImageBox all = whole(image.image);
  CHECK(fill_box(image.image, 0, all, Texel<std::int32_t>{}) == CopyError::kFormat);
  CHECK(fill_box(image.image, 0, all, Texel<std::uint32_t>{}) == CopyError::kFormat);
  REQUIRE(fill_box(image.image, 0, all, Texel<float>{{1, 0.5f, 0, 1}}) == CopyError::kNone);
  const unsigned char expected[4] = {0, 128, 255, 255};
  for (std::size_t i = 0; i < image.bytes.size(); i += 4)
    CHECK(std::memcmp(&image.bytes[i], expected, 4) == 0);
  OwnedImage integers({ImageDim::k1D, {ChannelOrder::kR, ChannelType::kSignedInt8}, 3}, 7);
  CHECK(fill_box(integers.image, 0, whole(integers.image), Texel<float>{}) == CopyError::kFormat);
  CHECK(fill_box(integers.image, 0, whole(integers.image), Texel<std::int32_t>{{-300, 0, 0, 0}}) ==
        CopyError::kNone);
  CHECK(integers.bytes[2] == std::byte{0x80});
}

TEST_CASE("calls in error say how, and change nothing") {
  OwnedImage image({ImageDim::k2DArray, kRgba16, 8, 4, 1, 2}, 8);
  const std::vector<std::byte> before = image.bytes;
  std::vector<std::byte> linear(8 * 4 * 2 * 8);
  const ImageBox all = whole(image.image);
  const auto from = [&](std::uint32_t level, const ImageBox& box, std::size_t bytes,
                        const LinearPitches& pitches = {}) {
    return copy_from_linear(image.image, level, box, std::span(linear).first(bytes), pitches);
  };
  CHECK(from(1, all, linear.size()) == CopyError::kLevel);
  CHECK(from(0, all, linear.size() - 1) == CopyError::kMemory);
  CHECK(from(0, all, linear.size(), {63, 0}) == CopyError::kRowPitch);
  CHECK(from(0, all, linear.size(), {64, 255}) == CopyError::kSlicePitch);
  CHECK(from(0, all, linear.size(), {~0ull, 0}) == CopyError::kSlicePitch);
  CHECK(from(0, all, linear.size(), {64, ~0ull}) == CopyError::kMemory);
  CHECK_FALSE(linear_bytes(image.image, all, {63, 0}).valid());
  for (int k = 0; k < 3; ++k)
    for (const std::uint64_t bad : {0ull, 9ull, 1ull << 31, 1ull << 32, 1ull << 63, ~0ull}) {
      ImageBox box = all;
      box.size[k] = bad;
      CHECK(from(0, box, linear.size()) == CopyError::kBox);
      CHECK(fill_box(image.image, 0, box, Texel<std::uint32_t>{}) == CopyError::kBox);
      box = all;
      box.size[k] = 1;
      box.origin[k] = bad == 0 ? 8 : bad;
      CHECK(from(0, box, linear.size()) == CopyError::kBox);
      CHECK(copy_box(image.image, 0, box, image.image, 0, {0, 0, 0}) == CopyError::kBox);
      CHECK(copy_box(image.image, 0, ImageBox{}, image.image, 0,
                     {box.origin[0], box.origin[1], box.origin[2]}) == CopyError::kBox);
    }
  const OwnedImage other({ImageDim::k2D, {ChannelOrder::kR, ChannelType::kFloat}, 8, 4}, 9);
  CHECK(copy_box(image.image, 0, ImageBox{}, other.image, 0, {0, 0, 0}) == CopyError::kFormat);
  CHECK(copy_box(image.image, 0, ImageBox{}, other.image, 1, {0, 0, 0}) == CopyError::kLevel);
  CHECK(image.bytes == before);
}

TEST_CASE("boxes overlap where they have a texel in common") {
  ImageBox box;
  box.origin[0] = 4;
  box.size[0] = 3;
  box.size[1] = 2;
  CHECK(overlap(box, {4, 0, 0}));
  CHECK(overlap(box, {6, 1, 0}));
  CHECK(overlap(box, {2, 0, 0}));
  CHECK_FALSE(overlap(box, {7, 0, 0}));
  CHECK_FALSE(overlap(box, {1, 0, 0}));
  CHECK_FALSE(overlap(box, {4, 2, 0}));
  CHECK_FALSE(overlap(box, {4, 0, 1}));
}

}  // namespace
}  // namespace transpire::test
