// What the bytes of an element are as a texel, for all formats, against the model of image_model.h.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "memory/texel.h"
#include "tests/memory/image_model.h"

namespace transpire::test {

using namespace memory;

namespace {

using Element = std::array<std::byte, 16>;

Element random_element(std::mt19937& random) {
  Element element;
  for (std::byte& byte : element) byte = static_cast<std::byte>(random());
  return element;
}

/// Elements in which every channel has every value, of channels up to 16 bits; others, and what is beside, at random.
template <class Check>
void for_elements(ImageFormat format, Check check) {
  std::mt19937 random(static_cast<unsigned>(format.order) * 32 +
                      static_cast<unsigned>(format.type));
  const std::string channels = image_model::channels_of(format.order);
  for (std::uint32_t c = 0; c < channels.size(); ++c) {
    const image_model::Field field = image_model::field_of(format, c);
    if (field.bits > 16) continue;
    for (std::uint32_t value = 0; value >> field.bits == 0; ++value) {
      Element element = random_element(random);
      image_model::set_bits(element.data(), field, value);
      check(element);
    }
  }
  for (int i = 0; i < 20000; ++i) check(random_element(random));
}

template <class T>
bool is_number(T value, double expected) {
  if (std::isnan(expected)) return std::isnan(static_cast<double>(value));
  return static_cast<double>(value) == expected;
}

/// The model's power function may be an ulp beside; the float is the exact value's.
bool is_near(double value, double expected) {
  return is_number(value, expected) || std::fabs(value - expected) <= 1e-15 * std::fabs(expected);
}

int wrong_floats(ImageFormat format) {
  int wrong = 0;
  const bool is_srgb = row_of(format.order).is_srgb;
  for_elements(format, [&](const Element& element) {
    const image_model::Color color = image_model::read(element.data(), format);
    const Texel<float> single = read_texel<float>(element.data(), format);
    const Texel<double> exact = read_texel<double>(element.data(), format);
    const Texel<std::uint16_t> halves = read_texel<std::uint16_t>(element.data(), format);
    for (int k = 0; k < 4; ++k) {
      wrong += !is_number(single.v[k], static_cast<float>(color[k]));
      wrong += !(is_srgb ? is_near(exact.v[k], color[k]) : is_number(exact.v[k], color[k]));
      wrong += std::isnan(color[k]) ? !std::isnan(image_model::half_number(halves.v[k]))
                                    : halves.v[k] != image_model::nearest_half(color[k]);
    }
  });
  return wrong;
}

template <class T>
int wrong_integers(ImageFormat format) {
  int wrong = 0;
  for_elements(format, [&](const Element& element) {
    const image_model::Color color = image_model::read(element.data(), format);
    const Texel<T> texel = read_texel<T>(element.data(), format);
    for (int k = 0; k < 4; ++k) wrong += static_cast<double>(texel.v[k]) != color[k];
  });
  return wrong;
}

/// Reads of another kind of texel give zeros.
template <class T>
bool reads_zeros(ImageFormat format) {
  Element element;
  element.fill(std::byte{0x55});
  const Texel<T> texel = read_texel<T>(element.data(), format);
  return texel.v[0] == 0 && texel.v[1] == 0 && texel.v[2] == 0 && texel.v[3] == 0;
}

TEST_CASE("an element of any format reads as the model says, whatever its bits") {
  for (const ImageFormat format : image_model::formats()) {
    CAPTURE(name_of(format));
    const char kind = image_model::kind_of(format.type);
    if (kind == 'I')
      CHECK(wrong_integers<std::int32_t>(format) == 0);
    else if (kind == 'U')
      CHECK(wrong_integers<std::uint32_t>(format) == 0);
    else
      CHECK(wrong_floats(format) == 0);
    CHECK(reads_zeros<float>(format) == (kind == 'I' || kind == 'U'));
    CHECK(reads_zeros<std::uint16_t>(format) == (kind == 'I' || kind == 'U'));
    CHECK(reads_zeros<std::int32_t>(format) == (kind != 'I'));
    CHECK(reads_zeros<std::uint32_t>(format) == (kind != 'U'));
  }
}

TEST_CASE("the ends of normalized channels are exact, the two lowest of signed ones are -1") {
  const auto byte = [](ChannelType type, int value) {
    const auto bits = static_cast<std::int8_t>(value);
    std::byte element[2] = {static_cast<std::byte>(bits), static_cast<std::byte>(bits)};
    return read_texel<float>(element, {ChannelOrder::kR, type}).v[0];
  };
  CHECK(byte(ChannelType::kUnormInt8, 0) == 0.0f);
  CHECK(byte(ChannelType::kUnormInt8, 255) == 1.0f);
  CHECK(byte(ChannelType::kUnormInt16, 255) == 1.0f);
  CHECK(byte(ChannelType::kSnormInt8, -128) == -1.0f);
  CHECK(byte(ChannelType::kSnormInt8, -127) == -1.0f);
  CHECK(byte(ChannelType::kSnormInt8, 127) == 1.0f);
  std::byte lowest[2] = {std::byte{0}, std::byte{0x80}};
  const ImageFormat format{ChannelOrder::kR, ChannelType::kSnormInt16};
  CHECK(read_texel<float>(lowest, format).v[0] == -1.0f);
  lowest[0] = std::byte{1};
  CHECK(read_texel<float>(lowest, format).v[0] == -1.0f);
}

TEST_CASE("floats and halves are read with the bits that they have") {
  const std::uint32_t odd[4] = {0x7fa12345, 0x00000001, 0x80000000, 0xff800000};
  std::byte element[16];
  std::memcpy(element, odd, sizeof odd);
  const Texel<float> texel = read_texel<float>(element, {ChannelOrder::kRGBA, ChannelType::kFloat});
  CHECK(std::memcmp(&texel, odd, sizeof odd) == 0);
  const Texel<std::uint16_t> halves =
      read_texel<std::uint16_t>(element, {ChannelOrder::kRGBA, ChannelType::kHalfFloat});
  CHECK(std::memcmp(&halves, odd, sizeof halves) == 0);
}

TEST_CASE("the border color is the order's") {
  for (const ImageFormat format : image_model::formats()) {
    const Texel<float> border = border_of<float>(format.order);
    CAPTURE(name_of(format));
    CHECK(border.v[0] == 0);
    CHECK(border.v[1] == 0);
    CHECK(border.v[2] == 0);
    CHECK(border.v[3] == image_model::border_alpha(format.order));
    CHECK(border_of<std::int32_t>(format.order).v[3] == image_model::border_alpha(format.order));
    CHECK(image_model::half_number(border_of<std::uint16_t>(format.order).v[3]) == border.v[3]);
  }
}

}  // namespace
}  // namespace transpire::test
