// GoogleTest: what a device computed is compared with what Transpire says that the kernel means, and
// each launch file is a test of its own.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <transpire/compare.hpp>
#include <transpire/transpire.hpp>
#include <vector>

namespace {

using Pixel = std::array<std::uint8_t, 4>;

/// In your test: clEnqueueNDRangeKernel, and the buffer read back.
std::vector<float> on_your_device(const std::vector<Pixel>& pixels) {
  std::vector<float> out;
  for (const auto& [red, green, blue, alpha] : pixels)
    out.push_back((0.299f * red + 0.587f * green + 0.114f * blue) / 255);
  return out;
}

/// The bytes of a vector as a buffer; both are the same memory.
template <class T>
transpire::Argument buffer_of(std::vector<T>& values, const char* name) {
  const auto bytes = std::as_writable_bytes(std::span(values));
  return transpire::Argument::buffer(*transpire::Buffer::wrap(bytes, name));
}

/// Whatever the kernel does wrong is a failure.
void run(const transpire::Launch& launch) {
  const auto result = transpire::Device::create()->run(launch);
  ASSERT_TRUE(result.ok()) << transpire::format(result.errors()[0]);
  for (const auto& finding : result->findings)
    ADD_FAILURE() << transpire::format(finding.diagnostic);
}

TEST(Grey, IsWithinFourUlpOfWhatTheKernelMeans) {
  std::vector<Pixel> pixels;
  for (int i = 0; i < 1000; ++i)
    pixels.push_back({std::uint8_t(i), std::uint8_t(3 * i), std::uint8_t(7 * i), 255});
  std::vector<float> out(pixels.size());

  const auto module = transpire::Module::load_file(KERNELS "/grey.cl");
  ASSERT_TRUE(module.ok()) << transpire::format(module.errors()[0]);
  transpire::Launch launch(*module, "grey");
  launch.geometry.global_size = {1024, 1, 1};
  launch.arguments = {buffer_of(pixels, "pixels"), buffer_of(out, "out"),
                      transpire::Argument::value(std::int32_t(pixels.size()))};
  run(launch);

  const auto same = transpire::compare_ulp(on_your_device(pixels), out, 4, "out");
  EXPECT_TRUE(same) << same.text;
}

std::vector<std::string> launch_files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(KERNELS))
    if (entry.path().extension() == ".launch") names.push_back(entry.path().stem());
  return names;
}

class LaunchFile : public testing::TestWithParam<std::string> {};

TEST_P(LaunchFile, MeetsItsExpectations) {
  const std::string file = KERNELS "/" + GetParam() + ".launch";
  EXPECT_EQ(std::system(("'" TRANSPIRE "' test '" + file + "'").c_str()), 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, LaunchFile, testing::ValuesIn(launch_files()),
                         [](const auto& test) { return test.param; });

}  // namespace
