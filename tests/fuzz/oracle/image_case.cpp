#include "tests/fuzz/oracle/image_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace transpire::oracle {

using memory::AddressingMode;
using memory::FilterMode;
using memory::ImageDim;
using memory::ImageFormat;
using memory::Sampler;
namespace model = test::image_model;

namespace {

constexpr ImageDim kDims[] = {ImageDim::k1D, ImageDim::k1DArray, ImageDim::k2D, ImageDim::k2DArray,
                              ImageDim::k3D};

ImageFormat random_format(Random& random) {
  while (true) {
    const ImageFormat format = random.pick(model::formats());
    if (!memory::is_depth(format.order)) return format;
  }
}

float random_float(Random& random, float low, float high) {
  return low + (high - low) * static_cast<float>(random.below(1u << 24)) * 0x1p-24f;
}

/// Elements of numbers: no NaN, no infinity, none so large that a sum of two is one.
void fill_element(Random& random, ImageFormat format, std::byte* element) {
  for (std::uint32_t k = 0; k < memory::element_bytes(format); ++k)
    element[k] = static_cast<std::byte>(random.bits());
  const char kind = model::kind_of(format.type);
  const std::string channels = model::channels_of(format.order);
  for (std::uint32_t c = 0; c < channels.size(); ++c) {
    const float number = random_float(random, -1, 1);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    if (kind == 'f') model::set_bits(element, model::field_of(format, c), bits);
    if (kind == 'h')
      model::set_bits(element, model::field_of(format, c), model::nearest_half(number));
  }
}

ReadImage random_image(Random& random) {
  ReadImage image;
  image.dim = random.pick(kDims);
  image.format = random_format(random);
  for (std::uint32_t k = 0; k < memory::coordinates(image.dim); ++k)
    image.size[k] = static_cast<int>(random.between(1, random.chance(20) ? 40 : 9));
  const std::uint32_t element = memory::element_bytes(image.format);
  const int texels = image.size[0] * image.size[1] * image.size[2];
  image.bytes.resize(static_cast<std::size_t>(texels) * element);
  image.picture.dim = image.dim;
  image.picture.border_alpha = model::border_alpha(image.format.order);
  std::memcpy(image.picture.size, image.size, sizeof image.size);
  for (int i = 0; i < texels; ++i) {
    std::byte* const at = image.bytes.data() + static_cast<std::size_t>(i) * element;
    fill_element(random, image.format, at);
    image.picture.colors.push_back(model::read(at, image.format));
  }
  return image;
}

Sampler random_sampler(Random& random) {
  Sampler sampler;
  sampler.addressing = static_cast<AddressingMode>(random.below(5));
  sampler.normalized = sampler.addressing >= AddressingMode::kRepeat || random.chance(50);
  sampler.filter = random.chance(50) ? FilterMode::kLinear : FilterMode::kNearest;
  return sampler;
}

using What = ImageStep::What;

/// Whether a sampler has a meaning for a step.
bool fits(const Sampler& sampler, What what, char letter) {
  if (what == What::kSampleInt) return memory::takes_integers(sampler);
  return letter == 'f' || sampler.filter == FilterMode::kNearest;
}

/// Where a step's coordinates may lie along an axis, in texels: with the addressing mode none, not outside.
void place_step(Random& random, const ImageCase& made, ImageStep& step) {
  const ReadImage& image = made.images[step.image];
  const Sampler sampler = step.what == What::kRead ? Sampler{} : made.samplers[step.sampler];
  const bool inside = sampler.addressing == AddressingMode::kNone;
  for (std::uint32_t item = 0; item < made.items; ++item)
    for (std::uint32_t k = 0; k < 4; ++k) {
      const int size = k < 3 ? image.size[k] : 1;
      if (step.what == What::kSampleFloat) {
        const auto side = static_cast<float>(size);
        const bool is_layer = k >= memory::sampled_axes(image.dim);
        const bool is_tight = inside && sampler.filter == FilterMode::kLinear;
        float at = inside ? random_float(random, is_tight ? 0.5f : 0.01f,
                                         is_tight ? side - 0.51f : side - 0.01f)
                          : random_float(random, -1.5f * side, 2.5f * side);
        if (!inside && random.chance(30)) at = std::floor(at * 2) / 2;
        step.floats.push_back(sampler.normalized && !is_layer ? at / side : at);
      } else {
        const int low = inside ? 0 : -size - 2, high = inside ? size - 1 : 2 * size + 2;
        step.ints.push_back(low + static_cast<int>(random.below(high - low + 1)));
      }
    }
}

/// A filter that may not look outside wants two texels a side.
bool has_room(const ReadImage& image, const Sampler& sampler) {
  if (sampler.addressing != AddressingMode::kNone || sampler.filter == FilterMode::kNearest)
    return true;
  for (std::uint32_t k = 0; k < memory::sampled_axes(image.dim); ++k)
    if (image.size[k] < 2) return false;
  return true;
}

void add_steps(Random& random, ImageCase& made) {
  const std::uint32_t wanted = random.between(1, 5);
  for (int tries = 0; tries < 100 && made.steps.size() < wanted; ++tries) {
    ImageStep step;
    step.what = static_cast<What>(random.below(4));
    step.image = random.below(made.images.size());
    step.sampler = random.below(made.samplers.size());
    const ReadImage& image = made.images[step.image];
    const Sampler& sampler = made.samplers[step.sampler];
    const bool samples = step.what == What::kSampleFloat || step.what == What::kSampleInt;
    if (samples &&
        (!fits(sampler, step.what, letter_of(image.format)) || !has_room(image, sampler)))
      continue;
    place_step(random, made, step);
    made.steps.push_back(std::move(step));
  }
}

WrittenImage random_written(Random& random, std::uint32_t items) {
  WrittenImage written;
  written.format = random_format(random);
  written.height = static_cast<int>(items / WrittenImage::kWidth) + 1;
  constexpr float kSpecial[] = {0, 1, -1, 0.5f, 2, 65504, -3e38f, 1e-40f};
  for (std::uint32_t i = 0; i < items * 4; ++i) {
    written.floats.push_back(random.chance(20) ? random.pick(kSpecial)
                                               : random_float(random, -1.2f, 1.2f));
    const auto any = static_cast<std::int32_t>(random.bits());
    written.ints.push_back(random.chance(50) ? any >> random.below(31) : any);
  }
  return written;
}

std::uint64_t saturated(std::int64_t value, std::uint32_t bits, bool is_signed) {
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::int64_t least = is_signed ? -most - 1 : 0;
  return static_cast<std::uint64_t>(std::clamp(value, least, most)) &
         ((std::uint64_t{1} << bits) - 1);
}

/// The bits of a channel that number `at` of the colors is written to.
std::uint64_t channel_bits(const WrittenImage& written, std::size_t at, char letter, char kind,
                           model::Field field) {
  const float value = written.floats[at];
  std::uint32_t single = 0;
  std::memcpy(&single, &value, sizeof single);
  switch (kind) {
    case 'f':
      return single;
    case 'h':
      return model::nearest_half(static_cast<double>(value));
    case 'I':
      return saturated(written.ints[at], field.bits, true);
    case 'U':
      return saturated(static_cast<std::uint32_t>(written.ints[at]), field.bits, false);
    default:
      break;
  }
  const double linear = static_cast<double>(value);
  const bool is_encoded = letter == 'R' || letter == 'G' || letter == 'B';
  const double number = is_encoded ? model::linear_to_srgb(std::clamp(linear, 0.0, 1.0)) : linear;
  return static_cast<std::uint64_t>(model::normalized(number, field.bits, kind == 's')) &
         ((std::uint64_t{1} << field.bits) - 1);
}

/// The component that a channel is written from; 4: none.
std::uint32_t component_of(char letter) {
  switch (letter) {
    case 'r':
    case 'R':
    case 'i':
    case 'l':
      return 0;
    case 'g':
    case 'G':
      return 1;
    case 'b':
    case 'B':
      return 2;
    case 'a':
      return 3;
    default:
      return 4;
  }
}

}  // namespace

char letter_of(ImageFormat format) {
  const char kind = model::kind_of(format.type);
  return kind == 'I' ? 'i' : kind == 'U' ? 'u' : 'f';
}

ImageCase make_image_case(Random& random) {
  constexpr std::uint32_t kItems[] = {1, 40, 64, 130, 200, 256};
  ImageCase made;
  made.items = random.pick(kItems);
  made.local = random.chance(50) ? made.items : 1;
  if (made.items == 64 || made.items == 256) made.local = random.chance(50) ? 64 : made.items;
  made.item_mask = random.chance(40) ? random.between(1, 7) : 0;
  made.precise = random.chance(30);
  for (std::uint32_t n = random.between(1, 3); n > 0; --n)
    made.images.push_back(random_image(random));
  for (std::uint32_t n = random.between(1, 2); n > 0; --n)
    made.samplers.push_back(random_sampler(random));
  add_steps(random, made);
  made.written = random_written(random, made.items);
  return made;
}

ExpectedColor expected_of(const ImageCase& made, const ImageStep& step, std::uint32_t item) {
  const ReadImage& image = made.images[step.image];
  const std::size_t at = std::size_t{item} * 4;
  if (step.what == What::kSize) {
    ExpectedColor sizes;
    for (std::uint32_t k = 0; k < memory::coordinates(image.dim); ++k)
      sizes.color[k] = static_cast<double>(image.size[k]);
    return sizes;
  }
  if (step.what == What::kSampleFloat) {
    const float place[3] = {step.floats[at], step.floats[at + 1], step.floats[at + 2]};
    const Sampler& sampler = made.samplers[step.sampler];
    const model::Sampled sampled = made.precise
                                       ? model::sample<double>(image.picture, sampler, place)
                                       : model::sample<float>(image.picture, sampler, place);
    const bool is_rough = sampler.filter == FilterMode::kLinear && !made.precise;
    return {sampled.color, sampled.largest * (is_rough ? 0x1p-20 : 0x1p-24)};
  }
  const std::int32_t place[3] = {step.ints[at], step.ints[at + 1], step.ints[at + 2]};
  const Sampler sampler = step.what == What::kRead ? Sampler{} : made.samplers[step.sampler];
  const model::Sampled sampled = model::sample(image.picture, sampler, place);
  return {sampled.color, sampled.largest * 0x1p-24};
}

bool is_written(const ImageCase& made, std::uint32_t item, const std::byte* element,
                std::byte before) {
  const ImageFormat format = made.written.format;
  const std::string channels = model::channels_of(format.order);
  const char kind = model::kind_of(format.type);
  for (std::uint32_t c = 0; c < channels.size(); ++c) {
    const model::Field field = model::field_of(format, c);
    const std::uint64_t bits = model::bits_of(element, field);
    const std::uint32_t component = component_of(channels[c]);
    std::uint64_t expected = bits;
    if (!made.computes(item) || component == 4) {
      std::byte old[16];
      std::fill(std::begin(old), std::end(old), before);
      expected = model::bits_of(old, field);
    } else {
      expected =
          channel_bits(made.written, std::size_t{item} * 4 + component, channels[c], kind, field);
    }
    if (bits != expected) return false;
  }
  return true;
}

}  // namespace transpire::oracle
