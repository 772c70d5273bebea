// Matrix transpose in tiles. Exact.
// Inputs: a random matrix, twice as wide as high. Output: its transpose.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kTile = 16;

void Reference(const std::uint32_t* __restrict input, std::uint32_t* __restrict output,
               std::size_t width, std::size_t height) {
  for (std::size_t top = 0; top < height; top += kTile) {
    for (std::size_t left = 0; left < width; left += kTile) {
      for (std::size_t x = left; x < left + kTile; ++x) {
        for (std::size_t y = top; y < top + kTile; ++y)
          output[x * height + y] = input[y * width + x];
      }
    }
  }
}

}  // namespace

BenchCase MakeTranspose(Size size) {
  const std::uint32_t width = size == Size::kFull ? 4096 : 128;
  const std::uint32_t height = width / 2;
  BenchCase result;
  result.kernel_file = "transpose";
  result.buffers = {ReadBuffer("input", RandomWords(width * height, 1)),
                    ResultBuffer<std::uint32_t>("output", width * height)};
  result.launches = {
      Launch2D("transpose", width, height, kTile,
               {BufferArgument{0}, BufferArgument{1}, Scalar(width), Scalar(height)})};
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<std::uint32_t>(0), set.Data<std::uint32_t>(1), width, height);
  };
  return result;
}

}  // namespace transpire::bench
