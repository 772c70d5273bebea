// Packed RGB to gray. Exact.
// Inputs: random packed pixels. Output: one byte per pixel.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

void Reference(const std::uint8_t* __restrict rgb, std::uint8_t* __restrict gray, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t luma = 77u * rgb[3 * i] + 150u * rgb[3 * i + 1] + 29u * rgb[3 * i + 2];
    gray[i] = static_cast<std::uint8_t>((luma + 128) >> 8);
  }
}

}  // namespace

BenchCase MakeRgbToGray(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 24 : 1u << 16;
  BenchCase result;
  result.kernel_file = "rgb_to_gray";
  result.buffers = {ReadBuffer("rgb", RandomBytes(std::size_t{3} * n, 1)),
                    ResultBuffer<std::uint8_t>("gray", n)};
  result.launches = {
      Launch1D("rgb_to_gray", n, 256, {BufferArgument{0}, BufferArgument{1}, Scalar(n)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<std::uint8_t>(0), set.Data<std::uint8_t>(1), n);
  };
  return result;
}

}  // namespace transpire::bench
