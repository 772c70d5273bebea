// STREAM triad. Exact.
// Inputs: two random vectors, larger together than usual caches. Output: their combination.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

void Reference(float* __restrict a, const float* __restrict b, const float* __restrict c, float s,
               std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
}

}  // namespace

BenchCase MakeStreamTriad(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 23 : 1u << 16;
  const float s = 3.0f;
  BenchCase result;
  result.kernel_file = "stream_triad";
  result.buffers = {ResultBuffer<float>("a", n), ReadBuffer("b", RandomFloats(n, 1, -1.0f, 1.0f)),
                    ReadBuffer("c", RandomFloats(n, 2, -1.0f, 1.0f))};
  result.launches = {
      Launch1D("stream_triad", n, 256,
               {BufferArgument{0}, BufferArgument{1}, BufferArgument{2}, Scalar(s), Scalar(n)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<float>(0), set.Data<float>(1), set.Data<float>(2), s, n);
  };
  return result;
}

}  // namespace transpire::bench
