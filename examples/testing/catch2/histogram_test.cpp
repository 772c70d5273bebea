// Catch2: what a device counted is what Transpire says that the kernel counts, for several sizes.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>  // version 2
#endif
#include <cstdint>
#include <span>
#include <transpire/compare.hpp>
#include <transpire/transpire.hpp>
#include <vector>

namespace {

using Bins = std::vector<std::uint32_t>;

/// In your test: clEnqueueNDRangeKernel, and the buffer read back.
Bins on_your_device(const std::vector<std::uint8_t>& values) {
  Bins bins(16);
  for (const std::uint8_t value : values) ++bins[value % 16];
  return bins;
}

/// The kernel must load, run, and do nothing wrong.
Bins on_transpire(std::vector<std::uint8_t> values) {
  const auto module = transpire::Module::load_file(KERNELS "/histogram.cl");
  if (!module) FAIL(transpire::format(module.errors()[0]));

  Bins bins(16);
  const auto value_bytes = std::as_writable_bytes(std::span(values));
  const auto bin_bytes = std::as_writable_bytes(std::span(bins));
  transpire::Launch launch(*module, "histogram");
  launch.geometry.global_size = {values.size(), 1, 1};
  launch.geometry.local_size = {32, 1, 1};
  launch.arguments = {transpire::Argument::buffer(*transpire::Buffer::wrap(value_bytes, "values")),
                      transpire::Argument::buffer(*transpire::Buffer::wrap(bin_bytes, "bins")),
                      transpire::Argument::local(16 * sizeof(std::uint32_t))};
  launch.check_sync = true;

  const auto result = transpire::Device::create()->run(launch);
  if (!result) FAIL(transpire::format(result.errors()[0]));
  for (const auto& finding : result->findings) FAIL_CHECK(transpire::format(finding.diagnostic));
  return bins;
}

}  // namespace

TEST_CASE("a histogram counts every value", "[kernels]") {
  const std::size_t count = GENERATE(32, 1024, 4096);
  std::vector<std::uint8_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint8_t>(i * i + i / 7);

  const auto same = transpire::compare_ulp(on_your_device(values), on_transpire(values), 0, "bins");
  INFO(same.text);
  CHECK(same);
}
