// Transpire as an oracle: what your device computed with a kernel is compared with what the kernel
// means. `on_your_device` stands for the code that you want to test.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <transpire/compare.hpp>
#include <transpire/transpire.hpp>
#include <vector>

namespace {

constexpr std::size_t kItems = 256;

struct Input {
  std::vector<float> x, y;
};

Input make_input() {
  Input input;
  for (std::size_t i = 0; i < kItems; ++i) {
    input.x.push_back(0.37f * static_cast<float>(i) + 1);
    input.y.push_back(50 - 0.61f * static_cast<float>(i));
  }
  return input;
}

/// In your test: clEnqueueNDRangeKernel, and the buffer read back.
std::vector<float> on_your_device(const Input& input) {
  std::vector<float> out;
  for (std::size_t i = 0; i < kItems; ++i) {
    const float scale = 1 / std::sqrt(input.x[i] * input.x[i] + input.y[i] * input.y[i]);
    out.push_back(input.x[i] * scale);
    out.push_back(input.y[i] * scale);
  }
  return out;
}

transpire::Buffer buffer_of(const std::vector<float>& values, const char* name) {
  transpire::Buffer buffer = *transpire::Buffer::create(values.size() * sizeof(float), name);
  std::copy(values.begin(), values.end(), buffer.as<float>().begin());
  return buffer;
}

/// The same launch on Transpire.
transpire::Launch make_launch(const Input& input, const transpire::Buffer& out) {
  const auto module = transpire::Module::load_file("normalise.cl");
  if (!module) FAIL(transpire::format(module.errors()[0]));
  transpire::Launch launch(*module, "normalise");
  launch.geometry.global_size = {kItems, 1, 1};
  launch.arguments = {transpire::Argument::buffer(buffer_of(input.x, "x")),
                      transpire::Argument::buffer(buffer_of(input.y, "y")),
                      transpire::Argument::buffer(out)};
  return launch;
}

/// It must find nothing wrong with the launch.
std::vector<float> on_transpire(const Input& input) {
  const transpire::Buffer out = *transpire::Buffer::create(2 * kItems * sizeof(float), "out");
  const transpire::Launch launch = make_launch(input, out);
  const auto result = transpire::Device::create()->run(launch);
  if (!result) FAIL(transpire::format(result.errors()[0]));
  for (const auto& finding : result->findings) FAIL_CHECK(transpire::format(finding.diagnostic));
  return {out.as<float>().begin(), out.as<float>().end()};
}

}  // namespace

TEST_CASE("vectors are scaled to length 1, within 4 ulp of what the kernel means") {
  const Input input = make_input();
  const auto same = transpire::compare_ulp(on_your_device(input), on_transpire(input), 4, "out");
  CHECK_MESSAGE(same, same.text);
}

TEST_CASE("a wrong result is shown with its place and distance") {
  const Input input = make_input();
  std::vector<float> wrong = on_your_device(input);
  wrong[6] += 1e-6f;
  const auto same = transpire::compare_ulp(wrong, on_transpire(input), 4, "out");
  CHECK_FALSE(same);
  MESSAGE(same.text);
}

TEST_CASE("results lie where the last operation's bound allows them") {
  const Input input = make_input();
  const std::vector<float> theirs = on_your_device(input);
  const transpire::Buffer out = *transpire::Buffer::create(2 * kItems * sizeof(float), "out");
  const transpire::Device device = *transpire::Device::create();
  transpire::Launch launch = make_launch(input, out);
  launch.results = transpire::ResultLog::create();
  const auto result = device.run(launch);
  if (!result) FAIL(transpire::format(result.errors()[0]));
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const transpire::LegalRange range =
        launch.results->range(out, 4 * i, transpire::FloatType::kFloat, transpire::Profile::kFull);
    CHECK(range.allows(theirs[i]));
  }
}
