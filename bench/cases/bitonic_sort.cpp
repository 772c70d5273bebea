// Bitonic sort, once with one launch per step and once with the steps that fit a work-group done in
// local memory. The reference runs the same network serially. Exact.
#include <algorithm>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kLocal = 256;
constexpr std::uint32_t kBlock = 2 * kLocal;

void OrderPairs(std::uint32_t* __restrict lower, std::uint32_t* __restrict upper, std::size_t count,
                bool ascending) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t least = std::min(lower[i], upper[i]);
    const std::uint32_t most = std::max(lower[i], upper[i]);
    lower[i] = ascending ? least : most;
    upper[i] = ascending ? most : least;
  }
}

void Reference(std::uint32_t* data, std::uint32_t n) {
  for (std::uint32_t size = 2; size <= n; size *= 2) {
    for (std::uint32_t stride = size / 2; stride > 0; stride /= 2) {
      for (std::uint32_t base = 0; base < n; base += 2 * stride)
        OrderPairs(data + base, data + base + stride, stride, (base & size) == 0);
    }
  }
}

Launch GlobalStep(std::uint32_t n, std::uint32_t size, std::uint32_t stride) {
  return Launch1D("bitonic_global", n / 2, kLocal,
                  {BufferArgument{0}, Scalar(size), Scalar(stride)});
}

Launch LocalSteps(std::uint32_t n, std::uint32_t first_size, std::uint32_t last_size) {
  return Launch1D("bitonic_local", n / 2, kLocal,
                  {BufferArgument{0}, LocalArgument{kBlock * sizeof(std::uint32_t)},
                   Scalar(first_size), Scalar(last_size)});
}

BenchCase MakeSort(std::uint32_t n) {
  BenchCase result;
  result.kernel_file = "bitonic_sort";
  result.buffers = {MakeBuffer("data", Access::kWrite, RandomWords(n, 1))};
  result.reference = [=](const BufferSet& set) { Reference(set.Data<std::uint32_t>(0), n); };
  return result;
}

}  // namespace

BenchCase MakeBitonicGlobal(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 17 : 1u << 11;
  BenchCase result = MakeSort(n);
  for (std::uint32_t step = 2; step <= n; step *= 2) {
    for (std::uint32_t stride = step / 2; stride > 0; stride /= 2)
      result.launches.push_back(GlobalStep(n, step, stride));
  }
  return result;
}

BenchCase MakeBitonicLocal(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 18 : 1u << 12;
  BenchCase result = MakeSort(n);
  result.launches = {LocalSteps(n, 2, kBlock)};
  for (std::uint32_t step = 2 * kBlock; step <= n; step *= 2) {
    for (std::uint32_t stride = step / 2; stride > kLocal; stride /= 2)
      result.launches.push_back(GlobalStep(n, step, stride));
    result.launches.push_back(LocalSteps(n, step, step));
  }
  return result;
}

}  // namespace transpire::bench
