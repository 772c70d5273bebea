#include "base/inline_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace transpire::test {
namespace {

using List = InlineList<std::uint32_t>;
using Reference = std::vector<std::uint32_t>;

bool same(const List& list, const Reference& expected) {
  return std::equal(list.begin(), list.end(), expected.begin(), expected.end());
}

/// The same random edit of both; sizes go to and fro over what fits in place.
void edit(std::mt19937& random, List& list, Reference& expected) {
  const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  const std::uint32_t value = random() & 0xffff;
  const Reference more(below(4), value);
  switch (below(9)) {
    case 0:
    case 1:
      list.push_back(value);
      return expected.push_back(value);
    case 2:
      if (expected.empty()) return;
      list.pop_back();
      return expected.pop_back();
    case 3: {
      const std::uint32_t at = below(expected.size() + 1);
      CHECK(*list.insert(list.begin() + at, value) == value);
      expected.insert(expected.begin() + at, value);
      return;
    }
    case 4: {
      const std::uint32_t at = below(expected.size() + 1);
      list.insert(list.begin() + at, more.begin(), more.end());
      expected.insert(expected.begin() + at, more.begin(), more.end());
      return;
    }
    case 5: {
      const std::uint32_t from = below(expected.size() + 1);
      const auto to = from + below(expected.size() - from + 1);
      list.erase(list.begin() + from, list.begin() + to);
      expected.erase(expected.begin() + from, expected.begin() + to);
      return;
    }
    case 6: {
      const std::uint32_t size = below(10);
      list.resize(size, value);
      return expected.resize(size, value);
    }
    case 7: {
      List copy = list;
      list = std::move(copy);
      copy = list;
      list = copy;
      return;
    }
    default: {
      List taken = std::move(list);
      CHECK(list.empty());
      std::swap(list, taken);
      return;
    }
  }
}

TEST_CASE("inline list: takes the room of a vector") { CHECK(sizeof(List) == sizeof(Reference)); }

TEST_CASE("inline list: random edits do what they do to a vector") {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    List list;
    Reference expected;
    for (int step = 0; step < 200; ++step) {
      edit(random, list, expected);
      REQUIRE(same(list, expected));
      REQUIRE(list.size() == expected.size());
    }
  }
}

TEST_CASE("inline list: lists compare by their elements") {
  CHECK(List{1, 2} == List{1, 2});
  CHECK(List{1, 2} != List{1, 2, 3});
  CHECK(List{1, 2} < List{1, 3});
  CHECK(List{1, 2} < List{1, 2, 0});
  CHECK(List(3, 7) == List{7, 7, 7});
}

}  // namespace
}  // namespace transpire::test
