// Batched 1024-point FFT, radix-2 Stockham. Twiddle factors come from the same table on both sides
// and the butterflies are the same, so exact.
#include <cmath>
#include <numbers>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kPoints = 1024;
constexpr std::uint32_t kHalf = kPoints / 2;

struct Complex {
  float x, y;
};

std::vector<float> Twiddles() {
  std::vector<float> table;
  for (std::size_t k = 0; k < kHalf; ++k) {
    const double angle = -2.0 * std::numbers::pi * k / kPoints;
    table.push_back(static_cast<float>(std::cos(angle)));
    table.push_back(static_cast<float>(std::sin(angle)));
  }
  return table;
}

/// Real and imaginary parts apart. Side by side, g++ 12 fuses the butterflies' multiplications and
/// additions into vfmaddsub in spite of -ffp-contract=off.
struct Planar {
  float x[kPoints], y[kPoints];
};

/// One pass over all butterflies from `source` to `target`.
void Pass(const Planar& __restrict source, Planar& __restrict target,
          const Complex* __restrict twiddles, std::size_t stride) {
  for (std::size_t base = 0; base < kHalf; base += stride) {
    for (std::size_t k = 0; k < stride; ++k) {
      const Complex w = twiddles[k * (kHalf / stride)];
      const std::size_t from = base + k;
      const std::size_t to = 2 * base + k;
      const float bx = source.x[from + kHalf];
      const float by = source.y[from + kHalf];
      const float tx = bx * w.x - by * w.y;
      const float ty = bx * w.y + by * w.x;
      target.x[to] = source.x[from] + tx;
      target.y[to] = source.y[from] + ty;
      target.x[to + stride] = source.x[from] - tx;
      target.y[to + stride] = source.y[from] - ty;
    }
  }
}

void Reference(const Complex* input, const Complex* twiddles, Complex* output,
               std::size_t transforms) {
  Planar source, target;
  for (std::size_t i = 0; i < transforms; ++i) {
    for (std::size_t p = 0; p < kPoints; ++p) {
      source.x[p] = input[i * kPoints + p].x;
      source.y[p] = input[i * kPoints + p].y;
    }
    for (std::size_t stride = 1; stride < kPoints; stride *= 4) {  // two passes, there and back
      Pass(source, target, twiddles, stride);
      Pass(target, source, twiddles, 2 * stride);
    }
    for (std::size_t p = 0; p < kPoints; ++p) output[i * kPoints + p] = {source.x[p], source.y[p]};
  }
}

}  // namespace

BenchCase MakeFftLocal(Size size) {
  const std::uint32_t transforms = size == Size::kFull ? 1024 : 8;
  const std::size_t floats = std::size_t{2} * kPoints * transforms;
  BenchCase result;
  result.kernel_file = "fft_local";
  result.buffers = {ReadBuffer("input", RandomFloats(floats, 1, -1.0f, 1.0f)),
                    ReadBuffer("twiddles", Twiddles()), ResultBuffer<float>("output", floats)};
  result.launches = {Launch1D("fft_local", transforms * kHalf, kHalf,
                              {BufferArgument{0}, BufferArgument{1}, BufferArgument{2}})};
  result.work_group_sizes =
      FixedWorkGroupSize("reqd_work_group_size: radix 2, half a transform's points in a group");
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<Complex>(0), set.Data<Complex>(1), set.Data<Complex>(2), transforms);
  };
  return result;
}

}  // namespace transpire::bench
