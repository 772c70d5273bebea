// Tree reduction. The inputs are small whole numbers, so float sums are exact in any order.
// Output: one sum per work-group.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kLocal = 256;

void Reference(const float* __restrict input, float* __restrict partial_sums, std::size_t groups,
               std::size_t block) {
  for (std::size_t group = 0; group < groups; ++group) {
    float sum = 0;
    for (std::size_t i = 0; i < block; ++i) sum += input[group * block + i];
    partial_sums[group] = sum;
  }
}

/// Each group of `local` work-items sums a block of twice as many of the `count` elements.
BenchCase MakeTree(std::uint32_t count, std::uint32_t local) {
  const std::uint32_t block = 2 * local;
  const std::uint32_t groups = count / block;
  std::vector<float> input(count);
  Random random(1);
  for (float& value : input) value = static_cast<float>(random.Below(16));
  BenchCase result;
  result.kernel_file = "reduction";
  result.buffers = {ReadBuffer("input", input), ResultBuffer<float>("partial_sums", groups)};
  result.launches = {
      Launch1D("reduction", groups * local, local,
               {BufferArgument{0}, BufferArgument{1}, LocalArgument{local * sizeof(float)}})};
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<float>(0), set.Data<float>(1), groups, block);
  };
  return result;
}

}  // namespace

BenchCase MakeReduction(Size size) {
  const std::uint32_t count = size == Size::kFull ? 1u << 23 : 1u << 14;
  BenchCase result = MakeTree(count, kLocal);
  result.work_group_sizes =
      ListedWorkGroupSizes({1, 8, 64}, "a power of two: a level of the tree halves the work-items",
                           [=](std::uint32_t local) { return MakeTree(count, local); });
  return result;
}

}  // namespace transpire::bench
