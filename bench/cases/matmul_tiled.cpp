// Tiled matrix product. Every element is summed in the order of k on both sides, so exact.
// Inputs: two random matrices. The reference's loop order lets it vectorise over columns.
#include <algorithm>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

void Reference(const float* __restrict a, const float* __restrict b, float* __restrict c,
               std::size_t n) {
  std::fill_n(c, n * n, 0.0f);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const float scale = a[i * n + k];
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += scale * b[k * n + j];
    }
  }
}

/// Tiles of `tile * tile`, which divide the matrices of `n * n`.
BenchCase MakeTiled(std::uint32_t n, std::uint32_t tile) {
  BenchCase result;
  result.kernel_file = "matmul_tiled";
  result.buffers = {ReadBuffer("a", RandomFloats(n * n, 1, -1.0f, 1.0f)),
                    ReadBuffer("b", RandomFloats(n * n, 2, -1.0f, 1.0f)),
                    ResultBuffer<float>("c", n * n)};
  result.launches = {
      Launch2D("matmul_tiled", n, n, tile,
               {BufferArgument{0}, BufferArgument{1}, BufferArgument{2}, Scalar(n)})};
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<float>(0), set.Data<float>(1), set.Data<float>(2), n);
  };
  return result;
}

BenchCase MakeOddTile(std::uint32_t tile) {
  BenchCase result = MakeTiled(5 * tile, tile);
  result.build_options = "-DTILE=" + std::to_string(tile);
  return result;
}

}  // namespace

BenchCase MakeMatmulTiled(Size size) {
  BenchCase result = MakeTiled(size == Size::kFull ? 512 : 64, 16);
  result.work_group_sizes = ListedWorkGroupSizes(
      {7, 13}, "reqd_work_group_size: the group is the tile, a constant", MakeOddTile);
  return result;
}

}  // namespace transpire::bench
