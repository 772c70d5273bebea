// Sparse matrix times vector with 0 to 47 entries a row. Exact: rows are summed in order.
// Inputs: a random pattern, values and vector. Output: one element per row.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::uint32_t kMostEntries = 48;

struct Pattern {
  std::vector<std::uint32_t> row_starts;
  std::vector<std::uint32_t> columns;
};

Pattern RandomPattern(std::uint32_t rows) {
  Random random(1);
  Pattern pattern;
  pattern.row_starts.push_back(0);
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t entries = random.Below(kMostEntries);
    for (std::uint32_t i = 0; i < entries; ++i) pattern.columns.push_back(random.Below(rows));
    pattern.row_starts.push_back(static_cast<std::uint32_t>(pattern.columns.size()));
  }
  return pattern;
}

void Reference(const BufferSet& set, std::size_t rows) {
  const std::uint32_t* __restrict row_starts = set.Data<std::uint32_t>(0);
  const std::uint32_t* __restrict columns = set.Data<std::uint32_t>(1);
  const float* __restrict values = set.Data<float>(2);
  const float* __restrict x = set.Data<float>(3);
  float* __restrict y = set.Data<float>(4);
  for (std::size_t row = 0; row < rows; ++row) {
    float sum = 0;
    const std::size_t end = row_starts[row + 1];
    for (std::size_t k = row_starts[row]; k < end; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

}  // namespace

BenchCase MakeSpmvCsr(Size size) {
  const std::uint32_t rows = size == Size::kFull ? 1u << 17 : 1u << 11;
  const Pattern pattern = RandomPattern(rows);
  BenchCase result;
  result.kernel_file = "spmv_csr";
  result.buffers = {
      ReadBuffer("row_starts", pattern.row_starts), ReadBuffer("columns", pattern.columns),
      ReadBuffer("values", RandomFloats(pattern.columns.size(), 2, -1.0f, 1.0f)),
      ReadBuffer("x", RandomFloats(rows, 3, -1.0f, 1.0f)), ResultBuffer<float>("y", rows)};
  result.launches = {Launch1D("spmv_csr", rows, 128,
                              {BufferArgument{0}, BufferArgument{1}, BufferArgument{2},
                               BufferArgument{3}, BufferArgument{4}, Scalar(rows)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) { Reference(set, rows); };
  return result;
}

}  // namespace transpire::bench
