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

Launch ScanBlocks(std::size_t input, std::size_t output, std::size_t sums, std::uint32_t n) {
  return Launch1D("scan_blocks", n, kLocal,
                  {BufferArgument{input}, BufferArgument{output}, BufferArgument{sums},
                   LocalArgument{2 * kLocal * sizeof(std::uint32_t)}, Scalar(n)});
}

Launch AddOffsets(std::size_t data, std::size_t sums, std::uint32_t n) {
  return Launch1D("add_offsets", n, kLocal,
                  {BufferArgument{data}, BufferArgument{sums}, Scalar(n)});
}

Buffer SumsBuffer(const char* name, std::uint32_t count) {
  return MakeBuffer(name, Access::kScratch, std::vector<std::uint32_t>(count));
}

}  // namespace

BenchCase MakeScan(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 22 : 1u << 14;
  const std::uint32_t blocks = n / kLocal;
  const std::uint32_t super_blocks = (blocks + kLocal - 1) / kLocal;
  BenchCase result;
  result.kernel_file = "scan";
  result.buffers = {ReadBuffer("input", RandomWords(n, 1)),
                    ResultBuffer<std::uint32_t>("output", n), SumsBuffer("block_sums", blocks),
                    SumsBuffer("super_sums", super_blocks), SumsBuffer("total", 1)};
  result.launches = {ScanBlocks(0, 1, 2, n), ScanBlocks(2, 2, 3, blocks),
                     ScanBlocks(3, 3, 4, super_blocks), AddOffsets(2, 3, blocks),
                     AddOffsets(1, 2, n)};
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<std::uint32_t>(0), set.Data<std::uint32_t>(1), n);
  };
  return result;
}

}  // namespace transpire::bench
