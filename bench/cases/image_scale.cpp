// Pictures of RGBA bytes: a scaled one with linear filtering, and a copy. Within one of the reference's bytes, for a
// device may filter with less precision than float (OpenCL C 2.0, "Linear Filtering").
#include <algorithm>
#include <cmath>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr float kScale = 0.7f;

/// As native code would do it: clamped indices, weights, four texels of four bytes.
void Bilinear(const std::uint8_t* __restrict from, std::uint8_t* __restrict to, int side) {
  for (int row = 0; row < side; ++row) {
    const float v = (static_cast<float>(row) + 0.5f) * kScale - 0.5f, top = std::floor(v);
    const float b = v - top;
    const int y0 = std::clamp(static_cast<int>(top), 0, side - 1);
    const int y1 = std::clamp(static_cast<int>(top) + 1, 0, side - 1);
    for (int column = 0; column < side; ++column) {
      const float u = (static_cast<float>(column) + 0.5f) * kScale - 0.5f, left = std::floor(u);
      const float a = u - left;
      const int x0 = std::clamp(static_cast<int>(left), 0, side - 1);
      const int x1 = std::clamp(static_cast<int>(left) + 1, 0, side - 1);
      const std::uint8_t* const corner[4] = {
          from + 4 * (y0 * side + x0), from + 4 * (y0 * side + x1), from + 4 * (y1 * side + x0),
          from + 4 * (y1 * side + x1)};
      const float weight[4] = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b};
      for (int channel = 0; channel < 4; ++channel) {
        float sum = 0.5f;
        for (int n = 0; n < 4; ++n) sum += weight[n] * static_cast<float>(corner[n][channel]);
        to[4 * (row * side + column) + channel] = static_cast<std::uint8_t>(sum);
      }
    }
  }
}

BenchCase MakeImageCase(Size size, const char* kernel) {
  const int side = size == Size::kFull ? 2048 : 96;
  const std::size_t texels = static_cast<std::size_t>(side) * side;
  const auto image_of = [&](Buffer buffer) {
    return ImageOf(std::move(buffer), static_cast<std::size_t>(side),
                   static_cast<std::size_t>(side));
  };
  BenchCase result;
  result.kernel_file = "image_scale";
  result.buffers = {image_of(ReadBuffer("from", RandomBytes(4 * texels, 1))),
                    image_of(ResultBuffer<std::uint8_t>("to", 4 * texels, {0, 1}))};
  result.launches = {Launch2D(kernel, side, side, 16, {BufferArgument{0}, BufferArgument{1}})};
  result.work_group_sizes = AnyWorkGroupSize();
  return result;
}

}  // namespace

BenchCase MakeImageBilinear(Size size) {
  BenchCase result = MakeImageCase(size, "image_bilinear");
  result.launches[0].arguments.push_back(Scalar(kScale));
  const int side = static_cast<int>(result.buffers[0].image->width);
  result.reference = [=](const BufferSet& set) {
    Bilinear(set.Data<std::uint8_t>(0), set.Data<std::uint8_t>(1), side);
  };
  return result;
}

BenchCase MakeImageCopy(Size size) {
  BenchCase result = MakeImageCase(size, "image_copy");
  const std::size_t bytes = result.buffers[0].data.size();
  result.reference = [=](const BufferSet& set) {
    std::memcpy(set.Data<std::uint8_t>(1), set.Data<std::uint8_t>(0), bytes);
  };
  return result;
}

}  // namespace transpire::bench
