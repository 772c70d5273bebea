// Bitonic sort, once with one launch per step and once with the steps that fit a work-group done in
// local memory. The reference runs the same network serially. Exact.
#include <algorithm>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kLocal = 256;

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

Launch GlobalStep(std::uint32_t n, std::uint32_t local, std::uint32_t size, std::uint32_t stride) {
  return Launch1D("bitonic_global", n / 2, local,
                  {BufferArgument{0}, Scalar(size), Scalar(stride)});
}

/// A group of `local` work-items sorts a block of twice as many elements.
Launch LocalSteps(std::uint32_t n, std::uint32_t local, std::uint32_t first_size,
                  std::uint32_t last_size) {
  return Launch1D("bitonic_local", n / 2, local,
                  {BufferArgument{0}, LocalArgument{2 * local * sizeof(std::uint32_t)},
                   Scalar(first_size), Scalar(last_size)});
}

BenchCase MakeSort(std::uint32_t n) {
  BenchCase result;
  result.kernel_file = "bitonic_sort";
  result.buffers = {MakeBuffer("data", Access::kWrite, RandomWords(n, 1))};
  result.reference = [=](const BufferSet& set) { Reference(set.Data<std::uint32_t>(0), n); };
  return result;
}

BenchCase MakeLocalSort(std::uint32_t n, std::uint32_t local) {
  const std::uint32_t block = 2 * local;
  BenchCase result = MakeSort(n);
  result.launches = {LocalSteps(n, local, 2, block)};
  for (std::uint32_t step = 2 * block; step <= n; step *= 2) {
    for (std::uint32_t stride = step / 2; stride > local; stride /= 2)
      result.launches.push_back(GlobalStep(n, local, step, stride));
    result.launches.push_back(LocalSteps(n, local, step, step));
  }
  return result;
}

}  // namespace

BenchCase MakeBitonicGlobal(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 17 : 1u << 11;
  BenchCase result = MakeSort(n);
  for (std::uint32_t step = 2; step <= n; step *= 2) {
    for (std::uint32_t stride = step / 2; stride > 0; stride /= 2)
      result.launches.push_back(GlobalStep(n, kLocal, step, stride));
  }
  result.work_group_sizes = AnyWorkGroupSize();
  return result;
}

BenchCase MakeBitonicLocal(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 18 : 1u << 12;
  BenchCase result = MakeLocalSort(n, kLocal);
  result.work_group_sizes =
      ListedWorkGroupSizes({1, 8, 64}, "a power of two: blocks of a bitonic network",
                           [=](std::uint32_t local) { return MakeLocalSort(n, local); });
  return result;
}

}  // namespace transpire::bench
