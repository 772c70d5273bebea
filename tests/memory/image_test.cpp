// The layout of images, of any shape that a caller may ask for; formats and samplers by name and value.
#include "memory/image.h"

#include <doctest/doctest.h>

#include <set>

#include "memory/sampler.h"

namespace transpire::test {
namespace {

using namespace memory;

constexpr ImageFormat kRgba8{ChannelOrder::kRGBA, ChannelType::kUnormInt8};
constexpr ImageDim kDims[] = {ImageDim::k1D, ImageDim::k1DArray, ImageDim::k1DBuffer,
                              ImageDim::k2D, ImageDim::k2DArray, ImageDim::k3D};

ShapeError error_of(const ImageShape& shape) {
  Image image;
  image.size_bytes = 4711;
  const ShapeError error = lay_out(shape, image);
  CHECK((error == ShapeError::kNone) == (image.size_bytes != 4711));
  return error;
}

TEST_CASE("every sample of every texel of every level has bytes of its own, inside the image") {
  for (const ImageDim dim : kDims)
    for (const std::uint32_t samples : {1u, 4u})
      for (const std::uint32_t levels : {1u, 3u}) {
        ImageShape shape{dim, kRgba8, 6, 5, 4, 3, 48 * samples, 0, levels, samples};
        shape.slice_pitch = dim == ImageDim::k1DArray ? shape.row_pitch : shape.row_pitch * 7;
        Image image;
        if (lay_out(shape, image) != ShapeError::kNone) continue;
        std::set<std::uint64_t> offsets;
        std::uint64_t texels = 0, last = 0;
        for (std::uint32_t l = 0; l < levels; ++l) {
          const ImageLevel& level = image.level[l];
          for (std::uint32_t i = 0; i < level.size[0] * level.size[1] * level.size[2]; ++i)
            for (std::uint32_t s = 0; s < samples; ++s, ++texels) {
              const auto x = static_cast<std::int32_t>(i % level.size[0]);
              const auto y = static_cast<std::int32_t>(i / level.size[0] % level.size[1]);
              const auto z = static_cast<std::int32_t>(i / level.size[0] / level.size[1]);
              const std::uint64_t offset = texel_offset(image, level, x, y, z, s);
              last = std::max(last, offset);
              CHECK(offset % 4 == 0);
              offsets.insert(offset);
            }
        }
        CHECK(offsets.size() == texels);
        CHECK(last + 4 <= image.size_bytes);
      }
}

TEST_CASE("pitches are those given, else without gaps, and an array's layers are a slice apart") {
  Image image;
  REQUIRE(lay_out({ImageDim::k1DArray, kRgba8, 10, 99, 99, 5, 64, 192}, image) ==
          ShapeError::kNone);
  CHECK(texel_offset(image, image.level[0], 3, 2, 0) == 2 * 192 + 12);
  CHECK(image.size_bytes == 5 * 192);
  CHECK(image.array_size() == 5);
  CHECK(image.height() == 1);
  CHECK(image.depth() == 1);
  REQUIRE(lay_out({ImageDim::k3D, kRgba8, 10, 4, 3}, image) == ShapeError::kNone);
  CHECK(texel_offset(image, image.level[0], 1, 2, 2) == (2 * 4 + 2) * 40 + 4);
  CHECK(image.depth() == 3);
  CHECK(image.array_size() == 1);
  REQUIRE(lay_out({ImageDim::k2D, kRgba8, 10, 4, 99, 99, 44, 7}, image) == ShapeError::kNone);
  CHECK(image.size_bytes == 4 * 44);
  CHECK(image.level[0].holds(9, 3, 0));
  CHECK_FALSE(image.level[0].holds(10, 0, 0));
  CHECK_FALSE(image.level[0].holds(0, 4, 0));
  CHECK_FALSE(image.level[0].holds(0, 0, 1));
  CHECK_FALSE(image.level[0].holds(-1, 0, 0));
}

TEST_CASE("slices are those of solid images, and an array's layers") {
  for (const ImageDim dim : kDims)
    CHECK(has_slices(dim) ==
          (dim == ImageDim::k3D || dim == ImageDim::k1DArray || dim == ImageDim::k2DArray));
}

TEST_CASE("a mipmap's levels halve what the filter applies to, down to one texel") {
  Image image;
  const ImageShape shape{ImageDim::k2DArray, kRgba8, 9, 4, 1, 3, 0, 0, 4};
  CHECK(complete_levels(shape) == 4);
  REQUIRE(lay_out(shape, image) == ShapeError::kNone);
  const std::uint32_t expected[][3] = {{9, 4, 3}, {4, 2, 3}, {2, 1, 3}, {1, 1, 3}};
  for (std::uint32_t l = 0; l < 4; ++l)
    for (int k = 0; k < 3; ++k) CHECK(image.level[l].size[k] == expected[l][k]);
  CHECK(image.level[1].offset == 9 * 4 * 3 * 4);
  CHECK(image.level[1].row_pitch == 16);
}

TEST_CASE("shapes in error are told from others") {
  const ImageShape good{ImageDim::k2DArray, kRgba8, 8, 8, 1, 2, 64, 512};
  CHECK(error_of(good) == ShapeError::kNone);
  const auto with = [&](auto change) {
    ImageShape shape = good;
    change(shape);
    return error_of(shape);
  };
  CHECK(with([](auto& s) { s.format.order = ChannelOrder::kRGB; }) == ShapeError::kFormat);
  CHECK(with([](auto& s) { s.width = 0; }) == ShapeError::kSide);
  CHECK(with([](auto& s) { s.array_size = 0; }) == ShapeError::kSide);
  CHECK(with([](auto& s) { s.height = kMaxSide + 1; }) == ShapeError::kSide);
  CHECK(with([](auto& s) { s.depth = 0; }) == ShapeError::kNone);
  CHECK(with([](auto& s) { s.row_pitch = 28; }) == ShapeError::kRowPitch);
  CHECK(with([](auto& s) { s.row_pitch = 63; }) == ShapeError::kRowPitch);
  CHECK(with([](auto& s) { s.slice_pitch = 448; }) == ShapeError::kSlicePitch);
  CHECK(with([](auto& s) { s.slice_pitch = 513; }) == ShapeError::kSlicePitch);
  CHECK(with([](auto& s) { s.levels = 0; }) == ShapeError::kLevels);
  CHECK(with([](auto& s) { s.levels = 4; }) == ShapeError::kNone);
  CHECK(with([](auto& s) { s.levels = 5; }) == ShapeError::kLevels);
  CHECK(with([](auto& s) { s.samples = 0; }) == ShapeError::kSamples);
  CHECK(with([](auto& s) { s.samples = 65; }) == ShapeError::kSamples);
  CHECK(with([](auto& s) { s.samples = 2, s.levels = 2; }) == ShapeError::kLevels);
  CHECK(with([](auto& s) { s.dim = ImageDim::k3D, s.samples = 2; }) == ShapeError::kSamples);
  CHECK(with([](auto& s) { s.dim = ImageDim::k1DBuffer, s.levels = 2; }) == ShapeError::kLevels);
  const auto to_depth = [](auto& s) { s.format = {ChannelOrder::kDepth, ChannelType::kFloat}; };
  CHECK(with(to_depth) == ShapeError::kNone);
  CHECK(with([&](auto& s) { to_depth(s), s.dim = ImageDim::k3D; }) == ShapeError::kDepth);
}

TEST_CASE("sizes that overflow are errors, whatever the caller chose") {
  const std::uint64_t ends[] = {0,          1,          2,          kMaxSide,   kMaxSide + 1,
                                1ull << 31, 1ull << 32, 1ull << 33, 1ull << 62, 1ull << 63,
                                ~0ull - 15, ~0ull};
  for (const ImageDim dim : kDims)
    for (const std::uint64_t a : ends)
      for (const std::uint64_t b : ends)
        for (const std::uint64_t c : ends) {
          ImageShape shape{dim, {ChannelOrder::kRGBA, ChannelType::kFloat}, a, b, c, c, 0, 0};
          Image image;
          if (lay_out(shape, image) == ShapeError::kNone) CHECK(image.size_bytes != 0);
          ImageShape pitched{dim, kRgba8, 1, 3, 3, 3, a, b};
          if (lay_out(pitched, image) == ShapeError::kNone && a != 0) {
            CHECK(a % 4 == 0);
            CHECK(image.size_bytes >= a);
          }
        }
  CHECK(error_of({ImageDim::k3D, kRgba8, kMaxSide, kMaxSide, kMaxSide}) == ShapeError::kTooLarge);
  CHECK(error_of({ImageDim::k2D, kRgba8, 1, 5, 1, 1, 1ull << 62}) == ShapeError::kTooLarge);
  CHECK(error_of({ImageDim::k2DArray, kRgba8, 1, 5, 1, 2, 1ull << 61, 1}) ==
        ShapeError::kSlicePitch);
}

TEST_CASE("formats by the API's values and by name") {
  const auto bytes = [](std::uint32_t order, std::uint32_t type) {
    const std::optional<ImageFormat> format = format_of_api(order, type);
    return format ? element_bytes(*format) : 0;
  };
  CHECK(bytes(0x10B5, 0x10D2) == 4);   // RGBA UNORM_INT8
  CHECK(bytes(0x10B5, 0x10DE) == 16);  // RGBA FLOAT
  CHECK(bytes(0x10B4, 0x10D4) == 2);   // RGB UNORM_SHORT_565
  CHECK(bytes(0x10BC, 0x10D6) == 4);   // RGBx UNORM_INT_101010
  CHECK(bytes(0x10B5, 0x10E0) == 4);   // RGBA UNORM_INT_101010_2
  CHECK(bytes(0x10C1, 0x10D2) == 4);   // sRGBA UNORM_INT8
  CHECK(bytes(0x10BA, 0x10D2) == 2);   // Rx UNORM_INT8
  CHECK(bytes(0x10BD, 0x10D3) == 2);   // DEPTH UNORM_INT16
  CHECK(bytes(0x10BE, 0x10DE) == 8);   // DEPTH_STENCIL FLOAT
  CHECK(bytes(0x10B4, 0x10D2) == 0);   // RGB UNORM_INT8
  CHECK(bytes(0x10B6, 0x10D3) == 0);   // BGRA UNORM_INT16
  CHECK(bytes(0x10B9, 0x10D7) == 0);   // LUMINANCE SIGNED_INT8
  for (const std::uint32_t other : {0u, 0x10AFu, 0x10C4u, 0x10CFu, 0x10E1u, ~0u}) {
    CHECK_FALSE(format_of_api(other, 0x10D2));
    CHECK_FALSE(format_of_api(0x10B5, other));
  }
  CHECK(order_named("rgba") == ChannelOrder::kRGBA);
  CHECK(order_named("CL_sRGBx") == ChannelOrder::ksRGBx);
  CHECK(order_named("cl_depth") == ChannelOrder::kDepth);
  CHECK_FALSE(order_named("RGBAA"));
  CHECK_FALSE(order_named("CL_"));
  CHECK_FALSE(order_named(""));
  CHECK(type_named("unorm_int8") == ChannelType::kUnormInt8);
  CHECK(type_named("CL_FLOAT") == ChannelType::kFloat);
  CHECK_FALSE(type_named("float4"));
  CHECK(name_of(kRgba8) == "RGBA UNORM_INT8");
  CHECK(has_usual_size(kRgba8));
  CHECK_FALSE(has_usual_size({ChannelOrder::ksRGB, ChannelType::kUnormInt8}));
}

TEST_CASE("a sampler is a value of 64 bits") {
  std::set<std::uint64_t> words;
  for (std::uint32_t addressing = 0; addressing < 5; ++addressing)
    for (std::uint32_t bits = 0; bits < 8; ++bits)
      for (const float lod : {0.0f, 0.25f, 3.5f, kMostLod}) {
        Sampler sampler = *sampler_of_spirv(addressing, bits & 1, bits >> 1 & 1);
        sampler.mip_filter = static_cast<FilterMode>(bits >> 2);
        sampler.lod_min = lod;
        const std::uint64_t word = pack(sampler);
        CHECK(is_sampler(word));
        CHECK(unpack_sampler(word) == sampler);
        words.insert(word);
      }
  CHECK(words.size() == 5 * 8 * 4);
  CHECK_FALSE(is_sampler(0));
  CHECK(unpack_sampler(pack({.border = Border::kOpaqueWhite})).border == Border::kOpaqueWhite);
  CHECK_FALSE(is_sampler(pack({}) | 3ull << 62));
  CHECK_FALSE(is_sampler(pack({}) | 7));
  CHECK_FALSE(is_sampler(~std::uint64_t{0}));
  Sampler odd;
  odd.lod_min = -1;
  odd.lod_max = __builtin_nanf("");
  CHECK(unpack_sampler(pack(odd)).lod_min == 0);
  CHECK(unpack_sampler(pack(odd)).lod_max == 0);
  odd.lod_max = __FLT_MAX__;
  CHECK(unpack_sampler(pack(odd)).lod_max == kMostLod);
  odd.lod_max = 0x1.00000ep0f;
  CHECK(unpack_sampler(pack(odd)).lod_max == 1);
}

// What 32-bit modules keep in memory.
TEST_CASE("the lower half of a sampler's value is a sampler, with 5 bits of its levels of detail") {
  const auto lower = [](const Sampler& sampler) {
    const std::uint64_t half = pack(sampler) & ~std::uint32_t{0};
    CHECK(is_sampler(half));
    return unpack_sampler(half);
  };
  for (std::uint32_t addressing = 0; addressing < 5; ++addressing) {
    Sampler sampler = *sampler_of_spirv(addressing, 1, addressing & 1);
    sampler.mip_filter = FilterMode::kLinear;
    CHECK(lower(sampler) == sampler);
    sampler.lod_min = 1.28125f;
    sampler.lod_max = 14.96875f;
    CHECK(lower(sampler) == sampler);
  }
  Sampler fine;
  fine.lod_min = 1.3f;
  fine.lod_max = 0x1p-6f;
  CHECK(lower(fine).lod_min == 1.28125f);
  CHECK(lower(fine).lod_max == 0);
  CHECK(unpack_sampler(pack(fine)).lod_min == doctest::Approx(1.3f).epsilon(1e-6));
  CHECK(unpack_sampler(pack(fine)).lod_max == 0x1p-6f);
}

TEST_CASE("samplers of literals and of the API's values") {
  CHECK(sampler_of_spirv(4, 1, 1) ==
        Sampler{AddressingMode::kMirroredRepeat, true, FilterMode::kLinear});
  CHECK_FALSE(sampler_of_spirv(5, 1, 1));
  CHECK_FALSE(sampler_of_spirv(0, 2, 1));
  CHECK_FALSE(sampler_of_spirv(0, 1, 2));
  CHECK(sampler_of_api(0x1130, false, 0x1140) == Sampler{});
  CHECK(sampler_of_api(0x1132, true, 0x1141) ==
        Sampler{AddressingMode::kClamp, true, FilterMode::kLinear});
  CHECK_FALSE(sampler_of_api(0x112F, false, 0x1140));
  CHECK_FALSE(sampler_of_api(0x1135, false, 0x1140));
  CHECK_FALSE(sampler_of_api(0x1130, false, 0x1142));
  CHECK(takes_integers({AddressingMode::kClamp, false, FilterMode::kNearest}));
  CHECK_FALSE(takes_integers({AddressingMode::kClamp, true, FilterMode::kNearest}));
  CHECK_FALSE(takes_integers({AddressingMode::kClamp, false, FilterMode::kLinear}));
  CHECK_FALSE(takes_integers({AddressingMode::kRepeat, false, FilterMode::kNearest}));
  CHECK(has_defined_addressing({AddressingMode::kRepeat, true}));
  CHECK_FALSE(has_defined_addressing({AddressingMode::kMirroredRepeat, false}));
}

}  // namespace
}  // namespace transpire::test
