// Matrix transpose in tiles. Exact.
// Inputs: a random matrix, twice as wide as high. Output: its transpose.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

template <std::uint32_t kTile>
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

/// Tiles of `kTile * kTile`, which divide a matrix of `2 * height` by `height`.
template <std::uint32_t kTile>
BenchCase MakeTiled(std::uint32_t height) {
  const std::uint32_t width = 2 * height;
  BenchCase result;
  result.kernel_file = "transpose";
  result.buffers = {ReadBuffer("input", RandomWords(width * height, 1)),
                    ResultBuffer<std::uint32_t>("output", width * height)};
  result.launches = {
      Launch2D("transpose", width, height, kTile,
               {BufferArgument{0}, BufferArgument{1}, Scalar(width), Scalar(height)})};
  result.reference = [=](const BufferSet& set) {
    Reference<kTile>(set.Data<std::uint32_t>(0), set.Data<std::uint32_t>(1), width, height);
  };
  return result;
}

BenchCase MakeOddTile(std::uint32_t tile) {
  BenchCase result = tile == 7 ? MakeTiled<7>(9 * tile) : MakeTiled<13>(5 * tile);
  result.build_options = "-DTILE=" + std::to_string(tile);
  return result;
}

}  // namespace

BenchCase MakeTranspose(Size size) {
  BenchCase result = MakeTiled<16>(size == Size::kFull ? 2048 : 64);
  result.work_group_sizes = ListedWorkGroupSizes(
      {7, 13}, "reqd_work_group_size: the group is the tile, a constant", MakeOddTile);
  return result;
}

}  // namespace transpire::bench
