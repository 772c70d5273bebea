// Mutations of SPIR-V modules for libFuzzer: mostly of words and whole instructions, because bytes
// alone seldom get past the frames.
#include "tests/fuzz/words.h"

#include <algorithm>
#include <cstring>
#include <random>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace transpire::fuzz {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kHeaderWords = 5;
constexpr std::size_t kBoundWord = 3;
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

/// Where instructions begin, as far as the word counts lead.
std::vector<std::ptrdiff_t> instruction_starts(const Words& words) {
  std::vector<std::ptrdiff_t> starts;
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) break;
    starts.push_back(static_cast<std::ptrdiff_t>(at));
    at += count;
  }
  return starts;
}

/// Another opcode with the same operands: a neighbour's, whose class is often the same.
std::uint32_t other_opcode(std::mt19937& random, const Words& words,
                           const std::vector<std::ptrdiff_t>& starts, std::uint32_t word) {
  std::uint32_t opcode = word & 0xffff;
  if (random() % 2 == 0)
    opcode += random() % 9 - 4;
  else
    opcode = words[static_cast<std::size_t>(starts[random() % starts.size()])];
  return (word & 0xffff0000) | (opcode & 0xffff);
}

/// Doubles, moves, removes or renames one instruction, or resizes it by one word.
void mutate_instruction(std::mt19937& random, Words& words) {
  const std::vector<std::ptrdiff_t> starts = instruction_starts(words);
  if (starts.empty()) return;
  const std::ptrdiff_t from = starts[random() % starts.size()];
  const std::ptrdiff_t to = starts[random() % starts.size()];
  std::uint32_t& head = words[static_cast<std::size_t>(from)];
  const std::uint32_t count = head >> 16;
  const Words copy(words.begin() + from, words.begin() + from + count);
  switch (random() % 6) {
    case 0:
      words.insert(words.begin() + to, copy.begin(), copy.end());
      break;
    case 1:
      words.erase(words.begin() + from, words.begin() + from + count);
      break;
    case 2:
      head += 1u << 16;
      words.insert(words.begin() + from + count, interesting_word(random, words));
      break;
    case 3:
      words.erase(words.begin() + from, words.begin() + from + count);
      words.insert(words.begin() + std::min<std::ptrdiff_t>(to, std::ssize(words)), copy.begin(),
                   copy.end());
      break;
    default:
      head = other_opcode(random, words, starts, head);
      break;
  }
}

}  // namespace

std::vector<std::uint8_t> bounded(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(data, data + size);
  if (size < (kBoundWord + 1) * 4) return bytes;
  std::uint32_t bound = 0;
  std::memcpy(&bound, bytes.data() + kBoundWord * 4, 4);
  bound = std::min(bound, kLargestBound);
  std::memcpy(bytes.data() + kBoundWord * 4, &bound, 4);
  return bytes;
}

}  // namespace transpire::fuzz

using namespace transpire::fuzz;

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  std::mt19937 random(seed);
  Words words = words_of(data, size);
  if (words.size() <= kHeaderWords || random() % 8 == 0)
    return LLVMFuzzerMutate(data, size, max_size);
  for (std::uint32_t rounds = random() % 3 + 1; rounds != 0; --rounds) {
    if (words.size() <= kHeaderWords) break;
    if (random() % 2 == 0)
      mutate_instruction(random, words);
    else
      words[random() % words.size()] = interesting_word(random, words);
  }
  const std::size_t bytes = std::min(words.size() * 4, max_size);
  if (bytes != 0) std::memcpy(data, words.data(), bytes);
  return bytes;
}
