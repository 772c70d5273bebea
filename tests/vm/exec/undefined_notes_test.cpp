// What is known of undefined bits in memory: by byte, owner and life, and the latest at least.
#include "vm/exec/undefined_notes.h"

#include <doctest/doctest.h>

#include <string>

namespace transpire::test {

using namespace vm;
using namespace vm::exec;
namespace {

constexpr OriginNote kFirst{{UndefinedOrigin::What::kValue, 1}},
    kSecond{{UndefinedOrigin::What::kValue, 2}};

TEST_CASE("equal notes have one number") {
  UndefinedNotes notes;
  const std::uint32_t first = notes.number(kFirst), second = notes.number(kSecond);
  CHECK(first != 0);
  CHECK(first != second);
  CHECK(notes.number(kFirst) == first);
  CHECK(notes.note(second) == kSecond);
  OriginNote stored = kSecond;
  stored.stored = 5;
  CHECK(notes.number(stored) != second);
  CHECK(notes.note(notes.number(stored)).stored == 5);
}

TEST_CASE("each byte of a word has a note of its own, and the last one counts") {
  UndefinedNotes notes;
  CHECK_FALSE(notes.has_any());
  notes.set({0, 0x1002, 0}, 7, 1);  // to 0x1009
  notes.set({0, 0x1003, 0}, 2, 2);
  CHECK(notes.has_any());
  std::string found;
  for (std::uint64_t address = 0x1000; address < 0x100c; ++address)
    found += std::to_string(notes.find({0, address, 0}));
  CHECK(found == "001221111000");
}

TEST_CASE("others have other memory at the same address, and a variable in each of its lives") {
  UndefinedNotes notes;
  notes.set({3, 0x2000, 1}, 4, 1);
  CHECK(notes.find({3, 0x2000, 1}) == 1);
  CHECK(notes.find({4, 0x2000, 1}) == 0);
  CHECK(notes.find({3, 0x2000, 2}) == 0);
}

TEST_CASE("what comes when much is noted takes the place of the oldest, which is told") {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 18;
  UndefinedNotes notes;
  const auto set = [&](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t word = from; word < to; ++word) notes.set({0, 4 * word, 0}, 4, 1);
  };
  set(0, 2 * kHalf);
  CHECK_FALSE(notes.has_lost());
  CHECK(notes.find({0, 0, 0}) == 1);
  notes.set({0, 4 * (kHalf - 1), 0}, 2, 2);
  CHECK(notes.has_lost());
  CHECK(notes.find({0, 0, 0}) == 0);
  CHECK(notes.find({0, 4 * kHalf, 0}) == 1);
  set(2 * kHalf, 3 * kHalf - 1);
  CHECK(notes.find({0, 4 * (2 * kHalf - 1), 0}) == 1);
  CHECK(notes.find({0, 4 * (3 * kHalf - 2), 0}) == 1);
}

}  // namespace
}  // namespace transpire::test
