// libFuzzer target: decodes bytes and walks what decodes as a consumer would. Mutations mostly work
// on words and whole instructions, because bytes alone seldom get past the frames.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "decoder/module.h"
#include "tests/decoder/walk.h"

using namespace transpire;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kHeaderWords = 5;
constexpr std::size_t kBoundWord = 3;
/// Tables grow with the bound; a small one keeps the target quick. The limit itself has tests.
constexpr std::uint32_t kLargestBound = 1u << 14;

Words words_of(const std::uint8_t* data, std::size_t size) {
  Words words(size / 4);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 4);
  return words;
}

std::uint32_t interesting_word(std::mt19937& random, const Words& words) {
  switch (random() % 5) {
    case 0:
      return random();
    case 1:
      return random() % std::max<std::uint32_t>(words[kBoundWord] & 0xffff, 1);
    case 2:
      return random() % 17;
    case 3:
      return words[random() % words.size()];
    default:
      return 1u << random() % 32;
  }
}

/// Doubles, moves or removes one instruction, or resizes it by one word.
void mutate_instruction(std::mt19937& random, Words& words) {
  std::vector<std::ptrdiff_t> starts;
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) break;
    starts.push_back(static_cast<std::ptrdiff_t>(at));
    at += count;
  }
  if (starts.empty()) return;
  const std::ptrdiff_t from = starts[random() % starts.size()];
  const std::ptrdiff_t to = starts[random() % starts.size()];
  const std::uint32_t count = words[static_cast<std::size_t>(from)] >> 16;
  const Words copy(words.begin() + from, words.begin() + from + count);
  switch (random() % 4) {
    case 0:
      words.insert(words.begin() + to, copy.begin(), copy.end());
      break;
    case 1:
      words.erase(words.begin() + from, words.begin() + from + count);
      break;
    case 2:
      words[static_cast<std::size_t>(from)] += 1u << 16;
      words.insert(words.begin() + from + count, interesting_word(random, words));
      break;
    default:
      words.erase(words.begin() + from, words.begin() + from + count);
      words.insert(words.begin() + std::min<std::ptrdiff_t>(to, std::ssize(words)), copy.begin(),
                   copy.end());
      break;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  std::mt19937 random(seed);
  Words words = words_of(data, size);
  if (words.size() <= kHeaderWords || random() % 8 == 0)
    return LLVMFuzzerMutate(data, size, max_size);
  for (std::uint32_t rounds = random() % 3 + 1; rounds != 0; --rounds) {
    if (words.size() <= kHeaderWords) break;
    if (random() % 3 == 0)
      mutate_instruction(random, words);
    else
      words[random() % words.size()] = interesting_word(random, words);
  }
  const std::size_t bytes = std::min(words.size() * 4, max_size);
  if (bytes != 0) std::memcpy(data, words.data(), bytes);
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(data, data + size);
  std::uint32_t bound = 0;
  if (size >= (kBoundWord + 1) * 4) {
    std::memcpy(&bound, bytes.data() + kBoundWord * 4, 4);
    bound = std::min(bound, kLargestBound);
    std::memcpy(bytes.data() + kBoundWord * 4, &bound, 4);
  }
  decoder::DecodeOptions options;
  options.specialisation = {{0, 3}, {1, 0xffffffffffffffff}};
  const Result<decoder::Module> module = decoder::decode(std::as_bytes(std::span(bytes)), options);
  if (module.ok()) {
    decoder::test::walk(*module);
  } else {
    const Diagnostic& error = module.errors().front();
    decoder::test::require(!error.rule.empty() && error.word_offset.has_value() &&
                           *error.word_offset <= size / 4 && !format(error).empty());
  }
  return 0;
}
