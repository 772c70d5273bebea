// Random image accesses: what a kernel reads, samples, asks and writes must be what a model in double says
// (image_case.h). See harness.h for the options.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "tests/fuzz/oracle/image_case.h"

namespace transpire::oracle {
namespace {

constexpr std::byte kUntouched{0xa5};

ImageDescription described(memory::ImageDim dim, memory::ImageFormat format, const int (&size)[3]) {
  const auto side = [&](int k) { return static_cast<std::uint64_t>(size[k]); };
  ImageDescription description;
  description.dim = static_cast<ImageDim>(dim);
  description.channel_order = memory::row_of(format.order).spelling;
  description.channel_type = memory::row_of(format.type).spelling;
  description.width = side(0);
  description.height = side(1);
  description.depth = side(2);
  description.layers = dim == memory::ImageDim::k1DArray ? side(1) : side(2);
  return description;
}

Sampler interface_sampler(const memory::Sampler& from) {
  Sampler sampler;
  sampler.addressing = static_cast<Sampler::Addressing>(from.addressing);
  sampler.normalized = from.normalized;
  sampler.linear = from.filter == memory::FilterMode::kLinear;
  return sampler;
}

template <class T>
Argument filled(const std::vector<T>& values) {
  const Buffer buffer = *Buffer::create(values.size() * sizeof(T), "in");
  std::memcpy(buffer.bytes().data(), values.data(), values.size() * sizeof(T));
  return Argument::buffer(buffer);
}

struct Outcome {
  std::string trouble;
  Image written;
  std::vector<Buffer> outputs;
};

Outcome run_once(const Device& device, const Module& module, bool reference,
                 const ImageCase& made) {
  Launch launch(module, "compute");
  launch.reference = reference;
  if (made.precise) launch.math = Math::kReference;
  launch.geometry.global_size = {made.items, 1, 1};
  launch.geometry.local_size = {made.local, 1, 1};
  for (const ReadImage& image : made.images) {
    const Image argument = *Image::create(described(image.dim, image.format, image.size), "image");
    std::memcpy(argument.bytes().data(), image.bytes.data(), image.bytes.size());
    launch.arguments.push_back(Argument::image(argument));
  }
  for (const memory::Sampler& sampler : made.samplers)
    launch.arguments.push_back(Argument::sampler(interface_sampler(sampler)));
  for (const ImageStep& step : made.steps)
    launch.arguments.push_back(
        step.floats.empty()
            ? filled(step.ints.empty() ? std::vector<std::int32_t>(made.items * 4) : step.ints)
            : filled(step.floats));
  const int size[3] = {WrittenImage::kWidth, made.written.height, 1};
  const auto written =
      Image::create(described(memory::ImageDim::k2D, made.written.format, size), "written");
  Outcome outcome{{}, *written, {}};
  std::memset(outcome.written.bytes().data(), static_cast<int>(kUntouched),
              outcome.written.bytes().size());
  launch.arguments.push_back(Argument::image(outcome.written));
  launch.arguments.push_back(letter_of(made.written.format) == 'f' ? filled(made.written.floats)
                                                                   : filled(made.written.ints));
  for (std::size_t i = 0; i < made.steps.size(); ++i) {
    const Buffer buffer = *Buffer::create(std::size_t{made.items} * 16, "out");
    std::memset(buffer.bytes().data(), static_cast<int>(kUntouched), buffer.bytes().size());
    launch.arguments.push_back(Argument::buffer(buffer));
    outcome.outputs.push_back(buffer);
  }
  outcome.trouble = trouble_of(device.run(launch));
  return outcome;
}

double number_of(const ImageCase& made, const ImageStep& step, std::uint32_t bits) {
  const char letter =
      step.what == ImageStep::What::kSize ? 'u' : letter_of(made.images[step.image].format);
  if (letter == 'u') return bits;
  if (letter == 'i') return static_cast<std::int32_t>(bits);
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// `wrong`: the step whose expected colors are not right, to see that this is found.
std::string compare(const ImageCase& made, std::size_t index, const Buffer& output, bool wrong) {
  const ImageStep& step = made.steps[index];
  constexpr std::uint32_t kOld = 0xa5a5a5a5;
  for (std::uint32_t item = 0; item < made.items; ++item) {
    const ExpectedColor expected = expected_of(made, step, item);
    for (std::size_t c = 0; c < 4; ++c) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, output.bytes().data() + (std::size_t{item} * 4 + c) * 4, 4);
      const double off = wrong ? expected.color[c] / 1024 + 1.0 / 1024 : 0;
      const double number = number_of(made, step, bits);
      const bool fits = made.computes(item)
                            ? std::fabs(number - expected.color[c] - off) <= expected.tolerance
                            : bits == kOld && !wrong;
      if (!fits)
        return fmt::format("step {}, work-item {}, component {} is {}, expected {}", index, item, c,
                           number, expected.color[c]);
    }
  }
  return {};
}

std::string compare(const ImageCase& made, const Outcome& outcome) {
  for (std::size_t i = 0; i < made.steps.size(); ++i)
    if (std::string different = compare(made, i, outcome.outputs[i], false); !different.empty())
      return different;
  const std::uint32_t bytes = memory::element_bytes(made.written.format);
  for (std::uint32_t item = 0; item < made.items; ++item)
    if (!is_written(made, item, outcome.written.bytes().data() + std::size_t{item} * bytes,
                    kUntouched))
      return fmt::format("texel {} of {} was written wrong", item,
                         memory::name_of(made.written.format));
  return {};
}

Verdict run_case(Devices& devices, const Options& options, std::uint64_t index) {
  Random random = random_of_case(options.seed, index);
  const ImageCase made = make_image_case(random);
  Verdict verdict;
  verdict.module = text_of(made);
  const std::optional<Module> module = load_case(options, verdict);
  if (!module) return verdict;
  for (const Setup& setup : setups(options, index)) {
    const Outcome outcome = run_once(devices.get(setup), *module, setup.reference, made);
    std::string different = outcome.trouble.empty() ? compare(made, outcome) : outcome.trouble;
    if (options.self_test && different.empty())
      different = compare(made, 0, outcome.outputs[0], true);
    if (!different.empty())
      verdict.deviation +=
          fmt::format("  {}{}, local {}:\n    {}\n", describe(setup),
                      made.precise ? ", math reference" : "", made.local, different);
  }
  return verdict;
}

}  // namespace
}  // namespace transpire::oracle

int main(int count, char** arguments) {
  return transpire::oracle::run_oracle("image", count, arguments, transpire::oracle::run_case);
}
