// 5 x 5 convolution, zero outside the image. Exact: the taps are summed in the same order.
// The reference treats border and interior apart, as native code would.
#include <algorithm>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr int kRadius = 2;
constexpr int kTaps = 2 * kRadius + 1;

float Sample(const float* input, const float* weights, int column, int row, int width, int height) {
  float sum = 0;
  for (int y = std::max(row - kRadius, 0); y <= std::min(row + kRadius, height - 1); ++y) {
    for (int x = std::max(column - kRadius, 0); x <= std::min(column + kRadius, width - 1); ++x)
      sum += input[y * width + x] * weights[(y - row + kRadius) * kTaps + x - column + kRadius];
  }
  return sum;
}

/// A row without its borders: the loop over columns is innermost so that it vectorises.
void Interior(const float* __restrict input, const float* __restrict weights,
              float* __restrict output, int row, int width) {
  for (int x = kRadius; x < width - kRadius; ++x) {
    float sum = 0;
    for (int dy = 0; dy < kTaps; ++dy) {
      for (int dx = 0; dx < kTaps; ++dx)
        sum += input[(row + dy - kRadius) * width + x + dx - kRadius] * weights[dy * kTaps + dx];
    }
    output[row * width + x] = sum;
  }
}

void Reference(const float* input, const float* weights, float* output, int width, int height) {
  for (int row = 0; row < height; ++row) {
    const bool inner = row >= kRadius && row < height - kRadius;
    if (inner) Interior(input, weights, output, row, width);
    for (int x = 0; x < width; ++x) {
      if (inner && x >= kRadius && x < width - kRadius) continue;
      output[row * width + x] = Sample(input, weights, x, row, width, height);
    }
  }
}

}  // namespace

BenchCase MakeConvolution5x5(Size size) {
  const int side = size == Size::kFull ? 1536 : 96;
  const std::size_t pixels = static_cast<std::size_t>(side) * side;
  BenchCase result;
  result.kernel_file = "convolution5x5";
  result.buffers = {ReadBuffer("input", RandomFloats(pixels, 1, 0.0f, 1.0f)),
                    ReadBuffer("weights", RandomFloats(kTaps * kTaps, 2, -0.2f, 0.2f)),
                    ResultBuffer<float>("output", pixels)};
  result.launches = {Launch2D(
      "convolution5x5", side, side, 16,
      {BufferArgument{0}, BufferArgument{1}, BufferArgument{2}, Scalar(side), Scalar(side)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<float>(0), set.Data<float>(1), set.Data<float>(2), side, side);
  };
  return result;
}

}  // namespace transpire::bench
