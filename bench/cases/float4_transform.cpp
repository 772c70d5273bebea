// Vertices through a chain of 4 x 4 matrices. Exact.
// Inputs: random vertices, eight random matrices. Output: one vertex each.
#include <algorithm>
#include <array>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

using Float4 = std::array<float, 4>;

Float4 Transform(const Float4* columns, const Float4& v) {
  Float4 result;
  for (int c = 0; c < 4; ++c) {
    const float sum =
        columns[0][c] * v[0] + columns[1][c] * v[1] + columns[2][c] * v[2] + columns[3][c] * v[3];
    result[c] = std::clamp(sum, -8.0f, 8.0f);
  }
  return result;
}

void Reference(const Float4* __restrict vertices, const Float4* __restrict matrices,
               Float4* __restrict output, std::size_t matrix_count, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    Float4 v = vertices[i];
    Float4 blend{};
    for (std::size_t m = 0; m < matrix_count; ++m) {
      v = Transform(matrices + 4 * m, v);
      for (int c = 0; c < 4; ++c) blend[c] += v[3 - c] * 0.25f - blend[c] * 0.5f;
    }
    for (int c = 0; c < 4; ++c) output[i][c] = v[c] + blend[c];
  }
}

}  // namespace

BenchCase MakeFloat4Transform(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 18 : 1u << 11;
  const std::uint32_t matrix_count = 8;
  BenchCase result;
  result.kernel_file = "float4_transform";
  result.buffers = {ReadBuffer("vertices", RandomFloats(4 * n, 1, -1.0f, 1.0f)),
                    ReadBuffer("matrices", RandomFloats(16 * matrix_count, 2, -1.0f, 1.0f)),
                    ResultBuffer<float>("output", 4 * n)};
  result.launches = {Launch1D(
      "float4_transform", n, 128,
      {BufferArgument{0}, BufferArgument{1}, BufferArgument{2}, Scalar(matrix_count), Scalar(n)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<Float4>(0), set.Data<Float4>(1), set.Data<Float4>(2), matrix_count, n);
  };
  return result;
}

}  // namespace transpire::bench
