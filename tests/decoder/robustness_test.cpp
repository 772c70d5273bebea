// Real modules, cut short at every word, mutated, and byte-swapped: decoding may refuse
// but not crash, and what decodes can be walked.
#include <doctest/doctest.h>

#include <random>

#include "tests/decoder/support.h"
#include "tests/decoder/walk.h"

namespace transpire::test {
namespace {

/// True when the words decode; walks the module then.
bool survives(const Words& words) {
  const Result<Module> module = decoded(words);
  if (!module) {
    REQUIRE(module.errors()[0].word_offset.has_value());
    REQUIRE(!module.errors()[0].message.empty());
    return false;
  }
  walk(*module);
  return true;
}

/// Words that are likelier than others to meet an edge.
std::uint32_t interesting(std::mt19937& random, const Words& words) {
  switch (random() % 6) {
    case 0:
      return random();
    case 1:
      return random() % words[3];
    case 2:
      return 0;
    case 3:
      return 0xffffffff;
    case 4:
      return words[random() % words.size()];
    default:
      return 1u << random() % 32;
  }
}

TEST_CASE("modules of compilers and golden programs decode") {
  for (const std::string& name : data_files()) {
    CAPTURE(name);
    CHECK(survives(assembled(data_file(name))));
  }
}

TEST_CASE("a module of the other byte order decodes to the same words") {
  const Words words = assembled(data_file("flow_debug_info.spvasm"));
  Words swapped = words;
  for (std::uint32_t& word : swapped)
    word = word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
  const Module module = whole(swapped);
  CHECK(module.byte_swapped);
  CHECK(module.words == words);
  CHECK(module.entry_point("flow") != nullptr);
}

TEST_CASE("bytes need not be aligned") {
  const Words words = assembled(data_file("flow_debug_info.spvasm"));
  std::vector<std::byte> bytes(words.size() * 4 + 1);
  const auto source = std::as_bytes(std::span(words));
  std::copy(source.begin(), source.end(), bytes.begin() + 1);
  CHECK(decode(std::span(bytes).subspan(1), {}).ok());
}

TEST_CASE("a module cut short at any word is refused or whole") {
  for (const std::string& name : data_files()) {
    const Words words = assembled(data_file(name));
    for (std::size_t length = 0; length < words.size(); ++length)
      survives(Words(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(length)));
  }
}

TEST_CASE("mutated words never crash") {
  std::mt19937 random(20240229);
  std::size_t decoded_count = 0;
  for (const std::string& name : data_files()) {
    const Words words = assembled(data_file(name));
    for (int round = 0; round < 1000; ++round) {
      Words mutated = words;
      for (std::uint32_t changes = random() % 3 + 1; changes != 0; --changes)
        mutated[5 + random() % (words.size() - 5)] = interesting(random, words);
      decoded_count += survives(mutated);
    }
  }
  CHECK(decoded_count > 0);
}

TEST_CASE("instructions swapped, doubled or removed never crash") {
  std::mt19937 random(7);
  for (const std::string& name : data_files()) {
    const Words words = assembled(data_file(name));
    std::vector<std::uint32_t> starts;
    for (std::uint32_t at = 5; at < words.size(); at += words[at] >> 16) starts.push_back(at);
    for (int round = 0; round < 400; ++round) {
      const std::uint32_t from = starts[random() % starts.size()];
      const std::uint32_t to = starts[random() % starts.size()];
      const Words moved(words.begin() + from, words.begin() + from + (words[from] >> 16));
      Words mutated = words;
      if (random() % 2) mutated.insert(mutated.begin() + to, moved.begin(), moved.end());
      if (random() % 2 && from < to)
        mutated.erase(mutated.begin() + from, mutated.begin() + from + (words[from] >> 16));
      survives(mutated);
    }
  }
}

}  // namespace
}  // namespace transpire::test
