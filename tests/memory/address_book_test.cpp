// AddressBook: who has which slots, and when they are given out again.
#include "memory/address_book.h"

#include <doctest/doctest.h>

namespace transpire::test {

using namespace memory;
using Slots = std::vector<std::uint64_t>;

TEST_CASE("a buffer keeps its slots, and nobody else gets them") {
  AddressBook book;
  const auto a = std::make_shared<int>(), b = std::make_shared<int>();
  CHECK(book.place({{{a, 3}, {b, 2}}}, 10, 100) == Slots{10, 13});
  CHECK(book.place({{{b, 2}}}, 10, 100) == Slots{13});
  auto c = std::make_shared<int>();
  CHECK(book.place({{{c, 2}, {a, 3}}}, 10, 100) == Slots{15, 10});
  c = std::make_shared<int>();  // the old one is gone, its slots stay empty
  CHECK(book.place({{{c, 2}}}, 10, 100) == Slots{17});
}

TEST_CASE("slots come round when all were given out") {
  AddressBook book;
  std::vector<std::shared_ptr<int>> owners;
  for (std::uint64_t i = 0; i < 5; ++i) {
    owners.push_back(std::make_shared<int>());
    CHECK(book.place({{{owners.back(), 2}}}, 0, 10) == Slots{2 * i});
  }
  const auto next = std::make_shared<int>();
  CHECK(book.place({{{next, 2}}}, 0, 10) == Slots{0});
  CHECK(book.place({{{owners[0], 2}}}, 0, 10) == Slots{2});
}

TEST_CASE("what does not fit at all has no slots") {
  AddressBook book;
  const auto a = std::make_shared<int>(), b = std::make_shared<int>();
  CHECK_FALSE(book.place({{{a, 6}, {b, 6}}}, 0, 10).has_value());
  CHECK_FALSE(book.place({{{a, ~std::uint64_t{0}}}}, 5, 10).has_value());
  CHECK(book.place({{{a, 6}}}, 0, 10) == Slots{0});
}

TEST_CASE("a place before the first slot is given up") {
  AddressBook book;
  const auto a = std::make_shared<int>();
  CHECK(book.place({{{a, 2}}}, 0, 100) == Slots{0});
  CHECK(book.place({{{a, 2}}}, 50, 100) == Slots{50});
}

}  // namespace transpire::test
