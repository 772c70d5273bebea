// Inclusive prefix sum in five launches: blocks, block sums, sums of block sums, and back. Exact.
// Inputs: random words; sums wrap. The buffers of block sums are scratch.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kLocal = 256;

void Reference(const std::uint32_t* __restrict input, std::uint32_t* __restrict output,
               std::uint32_t n) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) output[i] = sum += input[i];
}

Launch ScanBlocks(std::uint32_t local, std::size_t input, std::size_t output, std::size_t sums,
                  std::uint32_t n) {
  return Launch1D("scan_blocks", n, local,
                  {BufferArgument{input}, BufferArgument{output}, BufferArgument{sums},
                   LocalArgument{2 * local * sizeof(std::uint32_t)}, Scalar(n)});
}

Launch AddOffsets(std::uint32_t local, std::size_t data, std::size_t sums, std::uint32_t n) {
  return Launch1D("add_offsets", n, local, {BufferArgument{data}, BufferArgument{sums}, Scalar(n)});
}

Buffer SumsBuffer(const char* name, std::uint32_t count) {
  return MakeBuffer(name, Access::kScratch, std::vector<std::uint32_t>(count));
}

/// Blocks of `local` elements, whose cube is at least `n`: there are three levels.
BenchCase MakeThreeLevels(std::uint32_t n, std::uint32_t local) {
  const std::uint32_t blocks = (n + local - 1) / local;
  const std::uint32_t super_blocks = (blocks + local - 1) / local;
  BenchCase result;
  result.kernel_file = "scan";
  result.buffers = {ReadBuffer("input", RandomWords(n, 1)),
                    ResultBuffer<std::uint32_t>("output", n), SumsBuffer("block_sums", blocks),
                    SumsBuffer("super_sums", super_blocks), SumsBuffer("total", 1)};
  result.launches = {ScanBlocks(local, 0, 1, 2, n), ScanBlocks(local, 2, 2, 3, blocks),
                     ScanBlocks(local, 3, 3, 4, super_blocks), AddOffsets(local, 2, 3, blocks),
                     AddOffsets(local, 1, 2, n)};
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<std::uint32_t>(0), set.Data<std::uint32_t>(1), n);
  };
  return result;
}

}  // namespace

BenchCase MakeScan(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 22 : 1u << 14;
  BenchCase result = MakeThreeLevels(n, kLocal);
  result.work_group_sizes = ListedWorkGroupSizes(
      {27, 33, 129, 257}, "the group is the block that the buffers are sized for",
      [=](std::uint32_t local) { return MakeThreeLevels(n, local); });
  return result;
}

}  // namespace transpire::bench
