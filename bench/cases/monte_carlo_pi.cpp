// Monte Carlo hits from 64-bit xorshift* generators. Exact.
// Inputs: one seed per work-item. Output: its number of hits.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

void Reference(const std::uint64_t* __restrict seeds, std::uint32_t* __restrict hits,
               std::uint32_t samples, std::size_t n) {
  for (std::size_t item = 0; item < n; ++item) {
    std::uint64_t state = seeds[item];
    std::uint32_t inside = 0;
    for (std::size_t i = 0; i < samples; ++i) {
      state ^= state >> 12;
      state ^= state << 25;
      state ^= state >> 27;
      const std::uint64_t bits = state * 0x2545F4914F6CDD1Du;
      const std::uint64_t x = bits >> 33;
      const std::uint64_t y = bits & 0x7FFFFFFFu;
      inside += x * x + y * y < std::uint64_t{1} << 62 ? 1u : 0u;
    }
    hits[item] = inside;
  }
}

/// Generator states, which must not be zero.
std::vector<std::uint64_t> Seeds(std::size_t count) {
  Random random(1);
  std::vector<std::uint64_t> seeds(count);
  for (std::uint64_t& seed : seeds) seed = random.Bits() | 1;
  return seeds;
}

}  // namespace

BenchCase MakeMonteCarloPi(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 15 : 1u << 9;
  const std::uint32_t samples = size == Size::kFull ? 128 : 32;
  BenchCase result;
  result.kernel_file = "monte_carlo_pi";
  result.buffers = {ReadBuffer("seeds", Seeds(n)), ResultBuffer<std::uint32_t>("hits", n)};
  result.launches = {Launch1D("monte_carlo_pi", n, 64,
                              {BufferArgument{0}, BufferArgument{1}, Scalar(samples), Scalar(n)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<std::uint64_t>(0), set.Data<std::uint32_t>(1), samples, n);
  };
  return result;
}

}  // namespace transpire::bench
