// Byte histograms, with local and with global atomics. Integer additions commute, so exact.
// Inputs: bytes of a bell-shaped distribution. Output: 256 counts.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kBins = 256;
constexpr std::uint32_t kBytesPerItem = 64;

void Reference(const std::uint8_t* __restrict input, std::uint32_t* __restrict bins,
               std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) ++bins[input[i]];
}

/// Bytes that crowd around 127, as the gray levels of a picture do.
std::vector<std::uint8_t> PictureBytes(std::size_t count) {
  Random random(1);
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes)
    byte = static_cast<std::uint8_t>(random.Below(128) + random.Below(129));
  return bytes;
}

BenchCase MakeByteHistogram(const char* kernel, std::uint32_t n, std::uint32_t items) {
  BenchCase result;
  result.kernel_file = "histogram";
  result.buffers = {ReadBuffer("input", PictureBytes(n)),
                    ResultBuffer<std::uint32_t>("bins", kBins)};
  result.launches = {
      Launch1D(kernel, items, 256, {BufferArgument{0}, BufferArgument{1}, Scalar(n)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<std::uint8_t>(0), set.Data<std::uint32_t>(1), n);
  };
  return result;
}

}  // namespace

BenchCase MakeHistogram(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 24 : 1u << 17;
  return MakeByteHistogram("histogram", n, n / kBytesPerItem);
}

BenchCase MakeHistogramGlobal(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 23 : 1u << 15;
  return MakeByteHistogram("histogram_global", n, n);
}

}  // namespace transpire::bench
