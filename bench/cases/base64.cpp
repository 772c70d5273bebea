// Base64 encoding. Exact.
// Inputs: random bytes. Output: four characters per three bytes.
#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void Reference(const std::uint8_t* __restrict input, std::uint8_t* __restrict output,
               std::size_t triples) {
  for (std::size_t i = 0; i < triples; ++i) {
    const std::uint32_t bits = (std::uint32_t{input[3 * i]} << 16) |
                               (std::uint32_t{input[3 * i + 1]} << 8) | input[3 * i + 2];
    output[4 * i] = static_cast<std::uint8_t>(kAlphabet[bits >> 18]);
    output[4 * i + 1] = static_cast<std::uint8_t>(kAlphabet[(bits >> 12) & 63]);
    output[4 * i + 2] = static_cast<std::uint8_t>(kAlphabet[(bits >> 6) & 63]);
    output[4 * i + 3] = static_cast<std::uint8_t>(kAlphabet[bits & 63]);
  }
}

}  // namespace

BenchCase MakeBase64(Size size) {
  const std::uint32_t triples = size == Size::kFull ? 1u << 22 : 1u << 14;
  BenchCase result;
  result.kernel_file = "base64";
  result.buffers = {ReadBuffer("input", RandomBytes(std::size_t{3} * triples, 1)),
                    ResultBuffer<std::uint8_t>("output", std::size_t{4} * triples)};
  result.launches = {
      Launch1D("base64", triples, 256, {BufferArgument{0}, BufferArgument{1}, Scalar(triples)})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) {
    Reference(set.Data<std::uint8_t>(0), set.Data<std::uint8_t>(1), triples);
  };
  return result;
}

}  // namespace transpire::bench
