// Reads with a sampler, in float and in double, against the model of image_model.h.
#include "memory/sample.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/memory/image_model.h"

namespace transpire::test {
namespace {

using namespace memory;
using namespace image_model;

constexpr ImageDim kSampledDims[] = {ImageDim::k1D, ImageDim::k1DArray, ImageDim::k2D,
                                     ImageDim::k2DArray, ImageDim::k3D};

/// An image with gaps behind its rows and slices, and the same as a list of colors.
struct TwoImages {
  Image image;
  std::vector<std::byte> bytes;
  Picture picture;
};

TwoImages two_images(ImageDim dim, ImageFormat format, const int (&size)[3], std::mt19937& random) {
  TwoImages two;
  const std::uint32_t element = element_bytes(format);
  ImageShape shape{.dim = dim, .format = format};
  shape.width = static_cast<std::uint64_t>(size[0]);
  shape.height = dim == ImageDim::k1DArray ? 77 : static_cast<std::uint64_t>(size[1]);
  shape.depth = dim == ImageDim::k3D ? static_cast<std::uint64_t>(size[2]) : 99;
  shape.array_size = static_cast<std::uint64_t>(dim == ImageDim::k1DArray ? size[1] : size[2]);
  shape.row_pitch = (shape.width + 2) * element;
  const std::uint64_t rows = dim == ImageDim::k1DArray ? 1 : static_cast<std::uint64_t>(size[1]);
  shape.slice_pitch = shape.row_pitch * (rows + 1);
  REQUIRE(lay_out(shape, two.image) == ShapeError::kNone);
  two.bytes.resize(two.image.size_bytes);
  for (std::byte& byte : two.bytes) byte = static_cast<std::byte>(random());
  two.image.texels = two.bytes.data();
  two.picture.dim = dim;
  two.picture.border_alpha = image_model::border_alpha(format.order);
  std::memcpy(two.picture.size, size, sizeof size);
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) {
        const std::uint64_t slice = static_cast<std::uint64_t>(dim == ImageDim::k1DArray ? y : z);
        const std::uint64_t row = static_cast<std::uint64_t>(dim == ImageDim::k1DArray ? 0 : y);
        std::byte* at = two.bytes.data() + slice * shape.slice_pitch + row * shape.row_pitch +
                        static_cast<std::uint64_t>(x) * element;
        if (format.type == ChannelType::kFloat)
          for (std::uint32_t c = 0; c < element / 4; ++c) {
            const float number = static_cast<float>(random()) * 0x1p-31f - 1;
            std::memcpy(at + c * 4, &number, 4);
          }
        two.picture.colors.push_back(image_model::read(at, format));
      }
  return two;
}

float random_coordinate(std::mt19937& random, int size, bool normalized) {
  static constexpr float kSpecial[] = {
      0.0f,       -0.0f,       1e-40f,      -1e-40f,  -1e-9f,    0.99999994f, 1.0f,  1.0000001f,
      -1.0f,      2.0f,        1e9f,        -1e9f,    3e9f,      -3e9f,       3e38f, -3e38f,
      8388607.5f, -8388607.5f, 16777216.0f, INFINITY, -INFINITY, NAN};
  const auto length = static_cast<float>(size);
  switch (random() % 8) {
    case 0:
      return kSpecial[random() % std::size(kSpecial)];
    case 1: {  // on, before and behind a texel's edges and middle
      const auto edge = static_cast<float>(static_cast<int>(random() % (4u * size + 8)) - 4) / 2;
      const float at = normalized ? edge / length : edge;
      const float near[] = {std::nextafter(at, -1e9f), at, std::nextafter(at, 1e9f)};
      return near[random() % 3];
    }
    default: {
      const float part = static_cast<float>(random()) * 0x1p-31f - 0.5f;  // -0.5 to 1.5
      return normalized ? part * (random() % 4 == 0 ? 10.0f : 1.0f) : part * length;
    }
  }
}

bool is_close(double value, double expected, double tolerance) {
  return std::fabs(value - expected) <= tolerance;
}

template <class T>
bool is_same_color(const Texel<T>& texel, const Sampled& expected, double tolerance) {
  for (int k = 0; k < 4; ++k)
    if (!is_close(static_cast<double>(texel.v[k]), expected.color[k], tolerance)) return false;
  return true;
}

SampleFaults faults_of(const Sampled& sampled) {
  return (sampled.is_outside ? kOutside : 0) | (sampled.is_not_finite ? kNotFinite : 0);
}

/// Nearest: the texel itself. Linear: float's weights and sum round a few times, double's a float's ulp at most.
template <class F>
int wrong_samples(const TwoImages& two, const Sampler& sampler, std::mt19937& random) {
  int wrong = 0;
  for (int i = 0; i < 600; ++i) {
    float at[3];
    for (int k = 0; k < 3; ++k)
      at[k] = random_coordinate(random, two.picture.size[k], sampler.normalized);
    const Sampled expected = image_model::sample<F>(two.picture, sampler, at);
    SampleFaults faults = 0;
    const Texel<float> texel = sample<F, float>(two.image, sampler, at, F{0}, faults);
    const double relative = sampler.filter == FilterMode::kNearest ? 0x1p-24
                            : sizeof(F) == 4                       ? 0x1p-20
                                                                   : 0x1p-24;
    wrong += !is_same_color(texel, expected, expected.largest * relative);
    wrong += faults != faults_of(expected);
  }
  return wrong;
}

int wrong_integer_samples(const TwoImages& two, const Sampler& sampler, std::mt19937& random) {
  constexpr std::int32_t kEnds[] = {INT32_MIN, INT32_MIN + 1, INT32_MAX, INT32_MAX - 1, -1, 0};
  int wrong = 0;
  for (int i = 0; i < 600; ++i) {
    std::int32_t at[3];
    for (std::int32_t& place : at)
      place =
          random() % 8 == 0 ? kEnds[random() % 6] : static_cast<std::int32_t>(random() % 24) - 8;
    const Sampled expected = image_model::sample(two.picture, sampler, at);
    SampleFaults faults = 0;
    const Texel<float> texel = sample<float, float>(two.image, sampler, at, 0.0f, faults);
    wrong += !is_same_color(texel, expected, expected.largest * 0x1p-24);
    wrong += faults != faults_of(expected);
  }
  return wrong;
}

template <class Visit>
void for_samplers(Visit visit) {
  for (unsigned mode = 0; mode < 5; ++mode)
    for (const FilterMode filter : {FilterMode::kNearest, FilterMode::kLinear})
      for (const bool normalized : {false, true}) {
        CAPTURE(mode);
        CAPTURE(static_cast<int>(filter));
        CAPTURE(normalized);
        Sampler sampler;
        sampler.addressing = static_cast<AddressingMode>(mode);
        sampler.normalized = normalized;
        sampler.filter = filter;
        visit(sampler);
      }
}

TEST_CASE("every addressing mode, filter, coordinate and image reads as the model says") {
  std::mt19937 random(11);
  const ImageFormat formats[] = {{ChannelOrder::kRGBA, ChannelType::kFloat},
                                 {ChannelOrder::kR, ChannelType::kUnormInt8},
                                 {ChannelOrder::kBGRA, ChannelType::kUnormInt8},
                                 {ChannelOrder::ksRGBA, ChannelType::kUnormInt8},
                                 {ChannelOrder::kRG, ChannelType::kSnormInt16}};
  const int sizes[][3] = {{7, 5, 3}, {1, 1, 1}, {16, 2, 4}, {3, 11, 6}};
  for (const ImageDim dim : kSampledDims)
    for (const ImageFormat format : formats)
      for (const auto& size : sizes) {
        int present[3] = {1, 1, 1};
        for (std::uint32_t k = 0; k < coordinates(dim); ++k) present[k] = size[k];
        const TwoImages two = two_images(dim, format, present, random);
        CAPTURE(static_cast<int>(dim));
        CAPTURE(name_of(format));
        CAPTURE(size[0]);
        for_samplers([&](const Sampler& sampler) {
          CHECK(wrong_samples<float>(two, sampler, random) == 0);
          CHECK(wrong_samples<double>(two, sampler, random) == 0);
          CHECK(wrong_integer_samples(two, sampler, random) == 0);
        });
      }
}

TEST_CASE("the reference mode's color is the exact one, rounded once") {
  std::mt19937 random(12);
  const TwoImages two =
      two_images(ImageDim::k2D, {ChannelOrder::kRGBA, ChannelType::kUnormInt8}, {13, 9, 1}, random);
  const Sampler sampler{AddressingMode::kClampToEdge, true, FilterMode::kLinear};
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const float at[3] = {static_cast<float>(random()) * 0x1p-32f,
                         static_cast<float>(random()) * 0x1p-32f, 0};
    SampleFaults faults = 0;
    const Sampled expected = image_model::sample<double>(two.picture, sampler, at);
    const Texel<float> single = sample<double, float>(two.image, sampler, at, 0.0, faults);
    const Texel<std::uint16_t> halves =
        sample<double, std::uint16_t>(two.image, sampler, at, 0.0, faults);
    for (int k = 0; k < 4; ++k) {  // half an ulp of the value
      const double most = std::fabs(expected.color[k]);
      wrong += !is_close(single.v[k], expected.color[k], most * 0x1.00001p-24);
      wrong += !is_close(image_model::half_number(halves.v[k]), expected.color[k],
                         std::fmax(most * 0x1.00001p-11, 0x1p-25));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("the fast mode has the same bits on every machine") {
  std::mt19937 random(15);
  std::uint64_t digest = 0xcbf29ce484222325;
  const auto add = [&](std::uint32_t bits) { digest = (digest ^ bits) * 0x100000001b3; };
  for (const ImageDim dim : kSampledDims) {
    const int size[3] = {13, dim == ImageDim::k1D ? 1 : 9, sampled_axes(dim) == 1 ? 1 : 5};
    const int flat[3] = {size[0], size[1], dim == ImageDim::k2D ? 1 : size[2]};
    const TwoImages two =
        two_images(dim, {ChannelOrder::kRGBA, ChannelType::kUnormInt8}, flat, random);
    for_samplers([&](const Sampler& sampler) {
      for (int i = 0; i < 500; ++i) {
        float at[3];
        for (int k = 0; k < 3; ++k)
          at[k] = random_coordinate(random, two.picture.size[k], sampler.normalized);
        SampleFaults faults = 0;
        for (const float component : sample<float, float>(two.image, sampler, at, 0.0f, faults).v)
          add(std::bit_cast<std::uint32_t>(component));
        for (const auto half : sample<float, std::uint16_t>(two.image, sampler, at, 0.0f, faults).v)
          add(half);
        add(faults);
      }
    });
  }
  CHECK(digest == 690695504165109635);
}

TEST_CASE("texels of integers are read as they are, linear filters or not") {
  std::mt19937 random(13);
  const ImageFormat format{ChannelOrder::kRGBA, ChannelType::kSignedInt32};
  const TwoImages two = two_images(ImageDim::k3D, format, {5, 4, 3}, random);
  for_samplers([&](const Sampler& sampler) {
    Sampler nearest = sampler;
    nearest.filter = FilterMode::kNearest;
    int wrong = 0;
    for (int i = 0; i < 300; ++i) {
      float at[3];
      for (int k = 0; k < 3; ++k)
        at[k] = random_coordinate(random, two.picture.size[k], sampler.normalized);
      SampleFaults faults = 0;
      const Sampled expected = image_model::sample<float>(two.picture, nearest, at);
      wrong += !is_same_color(sample<float, std::int32_t>(two.image, sampler, at, 0.0f, faults),
                              expected, 0);
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("what the specification leaves undefined is told") {
  std::mt19937 random(14);
  const TwoImages two =
      two_images(ImageDim::k2DArray, {ChannelOrder::kR, ChannelType::kFloat}, {4, 4, 4}, random);
  const auto faults_at = [&](AddressingMode mode, FilterMode filter, float x, float layer,
                             float lod = 0) {
    const float at[3] = {x, 1.5f, layer};
    SampleFaults faults = 0;
    sample<float, float>(two.image, {mode, false, filter}, at, lod, faults);
    return faults;
  };
  constexpr auto kNone = AddressingMode::kNone;
  CHECK(faults_at(kNone, FilterMode::kNearest, 3.9f, 0) == 0);
  CHECK(faults_at(kNone, FilterMode::kNearest, 4.0f, 0) == kOutside);
  CHECK(faults_at(kNone, FilterMode::kNearest, -0.1f, 0) == kOutside);
  CHECK(faults_at(kNone, FilterMode::kLinear, 3.4f, 0) == 0);
  CHECK(faults_at(kNone, FilterMode::kLinear, 3.6f, 0) == kOutside);
  CHECK(faults_at(kNone, FilterMode::kNearest, 1, 9) == 0);  // layers are always clamped
  CHECK(faults_at(AddressingMode::kClamp, FilterMode::kLinear, -9, 0) == 0);
  CHECK(faults_at(AddressingMode::kClamp, FilterMode::kLinear, NAN, 0) == kNotFinite);
  CHECK(faults_at(AddressingMode::kClamp, FilterMode::kLinear, 1, -INFINITY) == kNotFinite);
  CHECK(faults_at(kNone, FilterMode::kNearest, INFINITY, 0) == (kOutside | kNotFinite));
  CHECK(faults_at(kNone, FilterMode::kNearest, 1, 0, NAN) == kNotFinite);
}

}  // namespace
}  // namespace transpire::test
