// Black-Scholes. exp, log, division and sqrt may each be off by some ULP, and the put price is a
// difference of larger numbers, hence the tolerance.
#include <cmath>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr Tolerance kTolerance{1e-4, 2e-4};

struct Options {
  const float* spot;
  const float* strike;
  const float* years;
  float rate;
  float volatility;
};

float NormalCdf(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
  const float poly =
      k * (0.319381530f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228040143267794f * std::exp(-0.5f * d * d) * poly;
  return d > 0.0f ? 1.0f - tail : tail;
}

void Reference(const Options& options, float* __restrict call, float* __restrict put,
               std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const float s = options.spot[i];
    const float x = options.strike[i];
    const float t = options.years[i];
    const float root = options.volatility * std::sqrt(t);
    const float drift = options.rate + 0.5f * options.volatility * options.volatility;
    const float d1 = (std::log(s / x) + drift * t) / root;
    const float cdf1 = NormalCdf(d1);
    const float cdf2 = NormalCdf(d1 - root);
    const float discounted = x * std::exp(-options.rate * t);
    call[i] = s * cdf1 - discounted * cdf2;
    put[i] = discounted * (1.0f - cdf2) - s * (1.0f - cdf1);
  }
}

}  // namespace

BenchCase MakeBlackScholes(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 19 : 1u << 13;
  const float rate = 0.02f;
  const float volatility = 0.3f;
  BenchCase result;
  result.kernel_file = "black_scholes";
  result.buffers = {ReadBuffer("spot", RandomFloats(n, 1, 5.0f, 30.0f)),
                    ReadBuffer("strike", RandomFloats(n, 2, 1.0f, 100.0f)),
                    ReadBuffer("years", RandomFloats(n, 3, 0.25f, 10.0f)),
                    ResultBuffer<float>("call", n, kTolerance),
                    ResultBuffer<float>("put", n, kTolerance)};
  result.launches = {
      Launch1D("black_scholes", n, 256,
               {BufferArgument{0}, BufferArgument{1}, BufferArgument{2}, BufferArgument{3},
                BufferArgument{4}, Scalar(rate), Scalar(volatility), Scalar(n)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    const Options options{set.Data<float>(0), set.Data<float>(1), set.Data<float>(2), rate,
                          volatility};
    Reference(options, set.Data<float>(3), set.Data<float>(4), n);
  };
  return result;
}

}  // namespace transpire::bench
