// Occurrences of several patterns in a text of four letters. Exact.
// Inputs: a random text, eight patterns. Output: one count per pattern.
#include <string_view>

#include "bench/cases/make.h"

namespace transpire::bench {
namespace {

constexpr std::string_view kPatterns[] = {"acg",    "ttaa",     "gattaca", "cagt",
                                          "aaaaaa", "tgcatgca", "ccgg",    "gtgtg"};

void Reference(const BufferSet& set, std::uint32_t text_size, std::uint32_t pattern_count) {
  const std::uint8_t* __restrict text = set.Data<std::uint8_t>(0);
  const std::uint8_t* __restrict patterns = set.Data<std::uint8_t>(1);
  const std::uint32_t* __restrict starts = set.Data<std::uint32_t>(2);
  std::uint32_t* __restrict matches = set.Data<std::uint32_t>(3);
  for (std::uint32_t p = 0; p < pattern_count; ++p) {
    const std::uint8_t* pattern = patterns + starts[p];
    const std::uint32_t size = starts[p + 1] - starts[p];
    for (std::uint32_t position = 0; position + size <= text_size; ++position) {
      std::uint32_t i = 0;
      while (i < size && text[position + i] == pattern[i]) ++i;
      matches[p] += i == size ? 1 : 0;
    }
  }
}

std::vector<std::uint8_t> RandomText(std::size_t size) {
  Random random(1);
  std::vector<std::uint8_t> text(size);
  for (std::uint8_t& letter : text) letter = static_cast<std::uint8_t>("acgt"[random.Below(4)]);
  return text;
}

}  // namespace

BenchCase MakeStringMatch(Size size) {
  const std::uint32_t n = size == Size::kFull ? 1u << 20 : 1u << 13;
  std::vector<std::uint8_t> patterns;
  std::vector<std::uint32_t> starts{0};
  for (std::string_view pattern : kPatterns) {
    patterns.insert(patterns.end(), pattern.begin(), pattern.end());
    starts.push_back(static_cast<std::uint32_t>(patterns.size()));
  }
  const std::uint32_t count = static_cast<std::uint32_t>(std::size(kPatterns));
  BenchCase result;
  result.kernel_file = "string_match";
  result.buffers = {ReadBuffer("text", RandomText(n)), ReadBuffer("patterns", patterns),
                    ReadBuffer("starts", starts), ResultBuffer<std::uint32_t>("matches", count)};
  result.launches = {Launch1D("string_match", n, 256,
                              {BufferArgument{0}, Scalar(n), BufferArgument{1}, BufferArgument{2},
                               Scalar(count), BufferArgument{3}})};
  result.work_group_sizes = AnyWorkGroupSize();
  result.reference = [=](const BufferSet& set) { Reference(set, n, count); };
  return result;
}

}  // namespace transpire::bench
