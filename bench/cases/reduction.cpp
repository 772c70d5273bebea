// Tree reduction. The inputs are small whole numbers, so float sums are exact in any order.
// Output: one sum per work-group.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kLocal = 256;
constexpr std::uint32_t kBlock = 2 * kLocal;

void Reference(const float* __restrict input, float* __restrict partial_sums, std::size_t groups) {
  for (std::size_t group = 0; group < groups; ++group) {
    float sum = 0;
    for (std::size_t i = 0; i < kBlock; ++i) sum += input[group * kBlock + i];
    partial_sums[group] = sum;
  }
}

}  // namespace

BenchCase MakeReduction(Size size) {
  const std::uint32_t groups = size == Size::kFull ? 1u << 14 : 1u << 5;
  std::vector<float> input(groups * kBlock);
  Random random(1);
  for (float& value : input) value = static_cast<float>(random.Below(16));
  BenchCase result;
  result.kernel_file = "reduction";
  result.buffers = {ReadBuffer("input", input), ResultBuffer<float>("partial_sums", groups)};
  result.launches = {
      Launch1D("reduction", groups * kLocal, kLocal,
               {BufferArgument{0}, BufferArgument{1}, LocalArgument{kLocal * sizeof(float)}})};
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<float>(0), set.Data<float>(1), groups);
  };
  return result;
}

}  // namespace transpire::bench
