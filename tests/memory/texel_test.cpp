// Elements are read as texels, and texels written as elements, in all formats, and compared with the model of
// image_model.h.
#include "memory/texel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/memory/image_model.h"

namespace transpire::test {
namespace {

using namespace memory;
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

constexpr std::byte kBefore{0xa6};

/// The channel of an element that a texel with this component everywhere was written to.
template <class T>
std::uint64_t written(ImageFormat format, std::uint32_t channel, T component) {
  std::byte element[16];
  std::memset(element, static_cast<int>(kBefore), sizeof element);
  write_texel(element, format, Texel<T>{{component, component, component, component}});
  return image_model::bits_of(element, image_model::field_of(format, channel));
}

bool is_beside(char letter) { return letter == 'x' || letter == 's'; }

/// Whether the bits are those of a float. A NaN to a half stays one, to others is 0.
bool is_right(std::uint64_t bits, image_model::Field field, char kind, char letter, float value) {
  if (kind == 'f') {
    const auto single = static_cast<std::uint32_t>(bits);
    return std::memcmp(&single, &value, sizeof value) == 0;
  }
  if (kind == 'h')
    return std::isnan(value) ? std::isnan(image_model::number_of(bits, field, kind))
                             : bits == image_model::nearest_half(value);
  if (letter == 'R' || letter == 'G' || letter == 'B') {
    const double scaled = image_model::linear_to_srgb(value) * 255;
    return std::fabs(static_cast<double>(bits) - scaled) <= 0.5 + 1e-9;
  }
  const std::int64_t expected =
      std::isnan(value) ? 0 : image_model::normalized(value, field.bits, kind == 's');
  return bits == (static_cast<std::uint64_t>(expected) & ((std::uint64_t{1} << field.bits) - 1));
}

std::vector<float> special_floats() {
  std::vector<float> values = {
      0.0f,     __FLT_DENORM_MIN__, __FLT_MIN__,     0.5f, 1.0f, 65504.0f,    65519.9f, 65520.0f,
      0x1p-24f, 0x1p-25f,           0x1.000002p-25f, 3.0f, 1e9f, __FLT_MAX__, INFINITY, NAN};
  for (std::size_t i = 0, count = values.size(); i < count; ++i) values.push_back(-values[i]);
  return values;
}

/// Around every number that a channel of so many bits has, and every middle of two.
std::vector<float> floats_around(std::uint32_t bits, bool is_signed) {
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::int64_t step = most > 65535 ? most / 65521 : 1;
  std::vector<float> values = special_floats();
  for (std::int64_t twice = is_signed ? -2 * most - 5 : -3; twice <= 2 * most + 3; twice += step) {
    const auto value =
        static_cast<float>(static_cast<double>(twice) / 2 / static_cast<double>(most));
    for (const float near : {std::nextafter(value, -9.0f), value, std::nextafter(value, 9.0f)})
      values.push_back(near);
  }
  return values;
}

std::vector<float> floats_for(ImageFormat format, image_model::Field field, char kind) {
  if (kind == 'u' || kind == 's') {
    std::vector<float> values = floats_around(field.bits, kind == 's');
    if (row_of(format.order).is_srgb)
      for (const float threshold : kLinearToSrgb)
        for (const float near :
             {std::nextafter(threshold, 0.0f), threshold, std::nextafter(threshold, 2.0f)})
          values.push_back(near);
    return values;
  }
  std::vector<float> values = special_floats();
  std::mt19937 random(7);
  for (int i = 0; i < 100000; ++i) {
    const std::uint32_t bits = static_cast<std::uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, sizeof value);
    values.push_back(value);
  }
  for (std::uint32_t half = 0; half < 0x7c00; ++half) {  // and what lies in the middle of two
    const double low = image_model::half_number(static_cast<std::uint16_t>(half));
    const double high = half == 0x7bff ? 65536 : image_model::half_number(half + 1);
    const auto middle = static_cast<float>((low + high) / 2);
    for (const float near : {std::nextafter(middle, 0.0f), middle, std::nextafter(middle, 1e9f)})
      values.insert(values.end(), {near, -near});
  }
  return values;
}

int wrong_floats_written(ImageFormat format) {
  int wrong = 0;
  const char kind = image_model::kind_of(format.type);
  const std::string channels = image_model::channels_of(format.order);
  for (std::uint32_t c = 0; c < channels.size(); ++c) {
    const image_model::Field field = image_model::field_of(format, c);
    if (is_beside(channels[c])) continue;
    for (const float value : floats_for(format, field, kind))
      wrong += !is_right(written(format, c, value), field, kind, channels[c], value);
  }
  return wrong;
}

template <class T>
int wrong_integers_written(ImageFormat format) {
  int wrong = 0;
  std::mt19937 random(3);
  const image_model::Field field = image_model::field_of(format, 0);
  const bool is_signed = image_model::kind_of(format.type) == 'I';
  const std::int64_t least = is_signed ? -(std::int64_t{1} << (field.bits - 1)) : 0;
  const std::int64_t most = (std::int64_t{1} << (is_signed ? field.bits - 1 : field.bits)) - 1;
  std::vector<std::int64_t> values = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  for (std::int64_t i = -2; i <= 2; ++i) values.insert(values.end(), {least + i, most + i, i});
  for (int i = 0; i < 10000; ++i) values.push_back(static_cast<T>(random()));
  const std::uint64_t mask = (std::uint64_t{1} << field.bits) - 1;
  for (std::int64_t value : values) {
    value = static_cast<T>(value);
    const auto expected = static_cast<std::uint64_t>(std::clamp(value, least, most));
    for (std::uint32_t c = 0; c < image_model::channels_of(format.order).size(); ++c)
      if (!is_beside(image_model::channels_of(format.order)[c]))
        wrong += written(format, c, static_cast<T>(value)) != (expected & mask);
  }
  return wrong;
}

/// Writes of different components land in the channels of their letters.
template <class T>
bool keeps_order(ImageFormat format) {
  std::byte element[16] = {};
  write_texel(element, format, Texel<T>{{T{1}, T{0}, T{1}, T{0}}});
  const image_model::Color color = image_model::read(element, format);
  const std::string channels = image_model::channels_of(format.order);
  bool right = true;
  for (const char letter : channels) {
    if (letter == 'r' || letter == 'R') right &= color[0] == 1;
    if (letter == 'g' || letter == 'G') right &= color[1] == 0;
    if (letter == 'b' || letter == 'B') right &= color[2] == 1;
    if (letter == 'a') right &= color[3] == 0;
    if (letter == 'l' || letter == 'i' || letter == 'd') right &= color[0] == 1;
  }
  return right;
}

TEST_CASE("floats are written to any format as the model says") {
  for (const ImageFormat format : image_model::formats()) {
    CAPTURE(name_of(format));
    const char kind = image_model::kind_of(format.type);
    if (kind == 'I') {
      CHECK(wrong_integers_written<std::int32_t>(format) == 0);
      CHECK(keeps_order<std::int32_t>(format));
    } else if (kind == 'U') {
      CHECK(wrong_integers_written<std::uint32_t>(format) == 0);
      CHECK(keeps_order<std::uint32_t>(format));
    } else {
      CHECK(wrong_floats_written(format) == 0);
      CHECK(keeps_order<float>(format));
    }
  }
}

TEST_CASE("halves are written as the floats that they are, to half channels as their bits") {
  for (const ImageFormat format : image_model::formats()) {
    const char kind = image_model::kind_of(format.type);
    const std::string channels = image_model::channels_of(format.order);
    if (kind == 'I' || kind == 'U' || channels.size() > 1) continue;
    CAPTURE(name_of(format));
    int wrong = 0;
    const image_model::Field field = image_model::field_of(format, 0);
    for (std::uint32_t half = 0; half < 0x10000; ++half) {
      const std::uint64_t bits = written(format, 0, static_cast<std::uint16_t>(half));
      const double number = image_model::half_number(static_cast<std::uint16_t>(half));
      if (kind == 'h')
        wrong += bits != half;
      else if (kind == 'f' && std::isnan(number))
        wrong += !std::isnan(image_model::number_of(bits, field, kind));
      else
        wrong += !is_right(bits, field, kind, channels[0], static_cast<float>(number));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("what lies beside the channels of the order is kept, unused bits are cleared") {
  for (const ImageFormat format : image_model::formats()) {
    const std::string channels = image_model::channels_of(format.order);
    const bool is_signed = image_model::kind_of(format.type) == 'I';
    for (std::uint32_t c = 0; c < channels.size(); ++c) {
      const image_model::Field field = image_model::field_of(format, c);
      if (!is_beside(channels[c]) || field.bits == 0) continue;
      CAPTURE(name_of(format));
      std::byte before[16];
      std::memset(before, static_cast<int>(kBefore), sizeof before);
      const std::uint64_t kept = image_model::bits_of(before, field);
      if (is_signed)
        CHECK(written(format, c, std::int32_t{5}) == kept);
      else if (image_model::kind_of(format.type) == 'U')
        CHECK(written(format, c, std::uint32_t{5}) == kept);
      else
        CHECK(written(format, c, 1.0f) == kept);
    }
  }
  std::byte element[4] = {kBefore, kBefore, kBefore, kBefore};
  write_texel(element, {ChannelOrder::kRGB, ChannelType::kUnormInt101010},
              Texel<float>{{1, 1, 1, 1}});
  CHECK(image_model::bits_of(element, {0, 32}) == 0x3fffffff);
  write_texel(element, {ChannelOrder::kRGB, ChannelType::kUnormShort555},
              Texel<float>{{1, 0, 1, 1}});
  CHECK(image_model::bits_of(element, {0, 16}) == 0x7c1f);
  CHECK(image_model::bits_of(element, {16, 16}) == 0x3fff);
}

TEST_CASE("a texel of another kind than the format's changes nothing") {
  for (const ImageFormat format : image_model::formats()) {
    CAPTURE(name_of(format));
    std::byte element[16], before[16];
    std::memset(before, static_cast<int>(kBefore), sizeof before);
    std::memcpy(element, before, sizeof before);
    const char kind = image_model::kind_of(format.type);
    if (kind == 'I' || kind == 'U') {
      write_texel(element, format, Texel<float>{{1, 1, 1, 1}});
      write_texel(element, format, Texel<std::uint16_t>{{1, 1, 1, 1}});
    }
    if (kind != 'I') write_texel(element, format, Texel<std::int32_t>{{1, 1, 1, 1}});
    if (kind != 'U') write_texel(element, format, Texel<std::uint32_t>{{1, 1, 1, 1}});
    CHECK(std::memcmp(element, before, sizeof element) == 0);
  }
}

/// The number of a float of a shader's format (Vulkan, "Unsigned 11-Bit Floating-Point Numbers").
double small_number(std::uint32_t bits, int mantissa_bits) {
  const std::uint32_t exponent = bits >> mantissa_bits,
                      mantissa = bits & ((1u << mantissa_bits) - 1);
  if (exponent == 31) return mantissa == 0 ? HUGE_VAL : std::nan("");
  const double fraction = std::ldexp(mantissa, -mantissa_bits);
  return exponent == 0 ? std::ldexp(fraction, -14)
                       : std::ldexp(1 + fraction, static_cast<int>(exponent) - 15);
}

constexpr ImageFormat kSmallFloats{ChannelOrder::kBGR, ChannelType::kUfloat101111};

std::uint32_t small_floats_of(const Texel<float>& texel) {
  std::byte element[4] = {};
  write_texel(element, kSmallFloats, texel);
  return static_cast<std::uint32_t>(image_model::bits_of(element, {0, 32}));
}

TEST_CASE("floats of 10 and 11 bits are read as they are, and written to the nearest") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 2048; ++bits) {
    std::byte element[4];
    const std::uint32_t word = bits | (2047 - bits) << 11 | (bits / 2) << 22;
    std::memcpy(element, &word, sizeof word);
    const Texel<float> texel = read_texel<float>(element, kSmallFloats);
    wrong += !is_number(texel.v[0], small_number(bits, 6));
    wrong += !is_number(texel.v[1], small_number(2047 - bits, 6));
    wrong += !is_number(texel.v[2], small_number(bits / 2, 5));
    wrong += texel.v[3] != 1;
  }
  CHECK(wrong == 0);
  for (const int mantissa : {5, 6}) {
    const std::uint32_t infinity = 31u << mantissa, shift = mantissa == 6 ? 11 : 22;
    const std::uint32_t all = mantissa == 6 ? 2047 : 1023;
    const auto written = [&](float value) {
      return small_floats_of({{0, value, value, 0}}) >> shift & all;
    };
    for (std::uint32_t bits = 0; bits + 1 < infinity; ++bits) {
      const auto low = static_cast<float>(small_number(bits, mantissa));
      const auto high = static_cast<float>(small_number(bits + 1, mantissa));
      const float middle = (low + high) / 2;
      wrong += written(low) != bits;
      wrong += written(std::nextafter(middle, 0.0f)) != bits;
      wrong += written(middle) != bits + (bits & 1);
      wrong += written(std::nextafter(middle, 1e9f)) != bits + 1;
    }
    CHECK(written(mantissa == 6 ? 65024.0f : 64512.0f) == infinity - 1);
    for (const float beyond : {65535.0f, 65536.0f, 1e9f, __FLT_MAX__})
      CHECK(written(beyond) == infinity - 1);
    CHECK(written(INFINITY) == infinity);
    CHECK(std::isnan(small_number(written(NAN), mantissa)));
    CHECK(std::isnan(small_number(written(-NAN), mantissa)));
    for (const float below :
         {-0.0f, -1.0f, -INFINITY, -__FLT_MAX__, __FLT_DENORM_MIN__, __FLT_MIN__})
      CHECK(written(below) == 0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("formats of shaders have their channels where Vulkan packs them") {
  CHECK(small_floats_of({{1, 0.5f, 2, 9}}) == (0x3c0u | 0x380u << 11 | 0x200u << 22));
  std::byte element[8] = {};
  const auto word = [&](std::uint32_t bits) { return image_model::bits_of(element, {0, bits}); };
  write_texel(element, {ChannelOrder::kABGR, ChannelType::kUnormInt2_101010},
              Texel<float>{{1, 0, 0.5f, 0.6f}});
  CHECK(word(32) == (1023u | 512u << 20 | 2u << 30));
  const ImageFormat counts{ChannelOrder::kABGR, ChannelType::kUnsignedInt2_101010};
  write_texel(element, counts, Texel<std::uint32_t>{{5, 1024, 7, 9}});
  CHECK(word(32) == (5u | 1023u << 10 | 7u << 20 | 3u << 30));
  CHECK(read_texel<std::uint32_t>(element, counts).v[2] == 7);
  const ImageFormat wide{ChannelOrder::kR, ChannelType::kSignedInt64};
  write_texel(element, wide, Texel<std::int64_t>{{-5, 1, 1, 1}});
  CHECK(word(64) == 0xfffffffffffffffbu);
  CHECK(read_texel<std::int64_t>(element, wide).v[0] == -5);
  CHECK(read_texel<std::int64_t>(element, wide).v[3] == 1);
  CHECK(read_texel<std::int32_t>(element, wide).v[0] == 0);
  CHECK(read_texel<std::uint64_t>(element, wide).v[0] == 0);
}

TEST_CASE("a border has the colors that the format has") {
  const auto white = border_of<float>(ChannelOrder::kRG, Border::kOpaqueWhite);
  CHECK(white.v[1] == 1);
  CHECK(white.v[2] == 0);
  CHECK(white.v[3] == 1);
  CHECK(border_of<std::int64_t>(ChannelOrder::kRGBA, Border::kOpaqueWhite).v[2] == 1);
  CHECK(border_of<float>(ChannelOrder::kRGBA, Border::kOpaqueBlack).v[0] == 0);
  CHECK(border_of<float>(ChannelOrder::kRGBA, Border::kOpaqueBlack).v[3] == 1);
}

TEST_CASE("what was read is written back as it was") {
  const auto is_kept = [](ImageFormat format, std::uint32_t value) {
    std::byte element[4] = {}, again[4] = {};
    std::memcpy(element, &value, sizeof element);
    write_texel(again, format, read_texel<float>(element, format));
    return std::memcmp(element, again, element_bytes(format)) == 0;
  };
  int lost = 0;
  for (std::uint32_t value = 0; value < 0x10000; ++value) {
    lost += !is_kept({ChannelOrder::kRGB, ChannelType::kUnormShort565}, value);
    lost += !is_kept({ChannelOrder::kR, ChannelType::kUnormInt16}, value);
    lost += !is_kept({ChannelOrder::ksRGBA, ChannelType::kUnormInt8}, value * 0x10001u);
    lost += !is_kept({ChannelOrder::kBGRA, ChannelType::kUnormInt8}, value * 0x10001u);
    lost += !is_kept({ChannelOrder::kRGBA, ChannelType::kUnormInt101010_2}, value * 0x10001u);
    if (value != 0x8000) lost += !is_kept({ChannelOrder::kR, ChannelType::kSnormInt16}, value);
  }
  CHECK(lost == 0);
}

}  // namespace
}  // namespace transpire::test
