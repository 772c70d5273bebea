// A 16-point FFT per work-item. Exact: the same butterflies with the same constants.
// Inputs: random points, transform-minor, so that neighbours read neighbouring memory.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kPoints = 16;

struct Complex {
  float x, y;
};

constexpr Complex kTwiddles[kPoints / 2] = {{1.0f, 0.0f},
                                            {0.92387953f, -0.38268343f},
                                            {0.70710678f, -0.70710678f},
                                            {0.38268343f, -0.92387953f},
                                            {0.0f, -1.0f},
                                            {-0.38268343f, -0.92387953f},
                                            {-0.70710678f, -0.70710678f},
                                            {-0.92387953f, -0.38268343f}};

constexpr std::uint8_t kReversed[kPoints] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};

void Transform(Complex (&v)[kPoints]) {
  for (std::size_t half = 1; half < kPoints; half *= 2) {
    for (std::size_t pair = 0; pair < kPoints / 2; ++pair) {
      const std::uint32_t k = pair & (half - 1);
      const std::uint32_t low = 2 * pair - k;
      const Complex w = kTwiddles[k * (kPoints / 2 / half)];
      const Complex a = v[low];
      const Complex b = v[low + half];
      const Complex t{b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x};
      v[low] = {a.x + t.x, a.y + t.y};
      v[low + half] = {a.x - t.x, a.y - t.y};
    }
  }
}

void Reference(const Complex* __restrict input, Complex* __restrict output, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    Complex v[kPoints];
    for (std::size_t p = 0; p < kPoints; ++p) v[kReversed[p]] = input[p * n + i];
    Transform(v);
    for (std::size_t p = 0; p < kPoints; ++p) output[p * n + i] = v[p];
  }
}

}  // namespace

BenchCase MakeFft16(Size size) {
  const std::uint32_t n = size == Size::kFull ? 100'000 : 1'000;
  const std::size_t floats = std::size_t{2} * kPoints * n;
  BenchCase result;
  result.kernel_file = "fft16";
  result.buffers = {ReadBuffer("input", RandomFloats(floats, 1, -1.0f, 1.0f)),
                    ResultBuffer<float>("output", floats)};
  result.launches = {Launch1D("fft16", n, 64, {BufferArgument{0}, BufferArgument{1}, Scalar(n)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<Complex>(0), set.Data<Complex>(1), n);
  };
  return result;
}

}  // namespace transpire::bench
