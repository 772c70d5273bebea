// Levels of detail: which levels they select, colors between two levels, gradients.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "memory/sample.h"

namespace transpire::test {
namespace {

using namespace memory;

/// A 2D image of 8 levels, each of one color: its number.
struct Levels {
  Image image;
  std::vector<std::byte> bytes;

  Levels() {
    const ImageFormat format{ChannelOrder::kR, ChannelType::kFloat};
    REQUIRE(lay_out({.format = format, .width = 130, .height = 9, .levels = 8}, image) ==
            ShapeError::kNone);
    bytes.resize(image.size_bytes);
    image.texels = bytes.data();
    for (std::uint32_t l = 0; l < image.levels; ++l)
      for (std::uint32_t y = 0; y < image.level[l].size[1]; ++y)
        for (std::uint32_t x = 0; x < image.level[l].size[0]; ++x) {
          const auto number = static_cast<float>(l);
          std::memcpy(&bytes[texel_offset(image, image.level[l], static_cast<std::int32_t>(x),
                                          static_cast<std::int32_t>(y), 0)],
                      &number, sizeof number);
        }
  }

  template <class F>
  float at(const Sampler& sampler, F lod) const {
    const float coordinate[3] = {0.3f, 0.7f, 0};
    SampleFaults faults = 0;
    return sample<F, float>(image, sampler, coordinate, lod, faults).v[0];
  }
};

Sampler with_mip_filter(FilterMode mip_filter) {
  Sampler sampler{AddressingMode::kClampToEdge, true, FilterMode::kLinear};
  sampler.mip_filter = mip_filter;
  return sampler;
}

TEST_CASE("nearest: the level whose number is nearest, the one with more texels halfway") {
  const Levels levels;
  const Sampler sampler = with_mip_filter(FilterMode::kNearest);
  const float expected[][2] = {{-3, 0},    {0, 0},         {0.5f, 0},     {0.51f, 1}, {1.5f, 1},
                               {2, 2},     {2.6f, 3},      {6.75f, 7},    {7, 7},     {9, 7},
                               {1e30f, 7}, {-INFINITY, 0}, {INFINITY, 7}, {NAN, 0}};
  for (const auto& row : expected) {
    const float lod = row[0], level = row[1];
    CAPTURE(lod);
    CHECK(levels.at<float>(sampler, lod) == level);
    CHECK(levels.at<double>(sampler, lod) == level);
  }
}

TEST_CASE("linear: between two levels, as far as the level of detail lies between them") {
  const Levels levels;
  const Sampler sampler = with_mip_filter(FilterMode::kLinear);
  for (float lod = 0; lod <= 7; lod += 0.125f) {
    CAPTURE(lod);
    CHECK(levels.at<float>(sampler, lod) == doctest::Approx(lod).epsilon(1e-6));
    CHECK(levels.at<double>(sampler, lod) == lod);
  }
  CHECK(levels.at<double>(sampler, 7.5) == 7);
  CHECK(levels.at<float>(sampler, -0.5f) == 0);
}

TEST_CASE("the sampler's range comes before the levels") {
  const Levels levels;
  Sampler sampler = with_mip_filter(FilterMode::kLinear);
  sampler.lod_min = 1.5f;
  sampler.lod_max = 3.25f;
  CHECK(levels.at<double>(sampler, 0) == 1.5f);
  CHECK(levels.at<double>(sampler, 2) == 2);
  CHECK(levels.at<double>(sampler, 6) == 3.25f);
  sampler.lod_max = 0;  // below the least: the greatest wins
  CHECK(levels.at<double>(sampler, 2) == 0);
}

template <class F>
double worst_logarithm() {
  std::mt19937 random(21);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const F value = std::ldexp(1 + static_cast<F>(random()) * static_cast<F>(0x1p-32),
                               static_cast<int>(random() % 200) - 100);
    const double exact = std::log2(static_cast<double>(value));
    worst = std::fmax(worst, std::fabs(log2_of(value) - exact) / std::fmax(1, std::fabs(exact)));
  }
  return worst;
}

TEST_CASE("the logarithm is as exact as it says") {
  CHECK(worst_logarithm<float>() <= 0x1p-22);
  CHECK(worst_logarithm<double>() <= 0x1p-44);
  for (int exponent = -60; exponent <= 60; ++exponent) {
    CHECK(log2_of(std::ldexp(1.0f, exponent)) == exponent);
    CHECK(log2_of(std::ldexp(1.0, exponent)) == exponent);
  }
}

TEST_CASE("gradients: the logarithm of the longer one, in texels") {
  const Levels levels;
  const Sampler sampler = with_mip_filter(FilterMode::kLinear);
  SampleFaults faults = 0;
  const auto lod = [&](const Sampler& with, float x, float y) {
    return lod_of_gradients<double>(levels.image, with, {x, 0, 77}, {0, y, 77}, faults);
  };
  CHECK(lod(sampler, 4.0f / 130, 1.0f / 9) == doctest::Approx(2).epsilon(1e-7));
  CHECK(lod(sampler, 1.0f / 130, 8.0f / 9) == doctest::Approx(3).epsilon(1e-7));
  Sampler in_texels = sampler;
  in_texels.normalized = false;
  CHECK(lod(in_texels, 2, 1) == 1);
  CHECK(lod(in_texels, 0, 0) == -50);
  CHECK(faults == 0);
  CHECK(lod(in_texels, INFINITY, 0) == 50);
  CHECK(lod(in_texels, 0, NAN) == -50);
  CHECK(faults == kNotFinite);
}

}  // namespace
}  // namespace transpire::test
