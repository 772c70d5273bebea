// The copies of an edge, one behind the other, have the effect of all at once.
#include "vm/emit/copies.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace transpire::test {
namespace {

using namespace vm::emission;
using What = CopyStep::What;

/// The values of places, which are their numbers before, after the steps for `copies`.
std::vector<std::uint32_t> after_steps(const std::vector<PlaceCopy>& copies, std::size_t places) {
  std::vector<std::uint32_t> values(places);
  std::iota(values.begin(), values.end(), 0);
  std::uint32_t temporary = 0;
  for (const CopyStep& step : order_copies(copies)) {
    const PlaceCopy& copy = copies[step.copy];
    if (step.what == What::kSave)
      temporary = values[copy.target];
    else
      values[copy.target] = step.what == What::kCopy ? values[copy.source] : temporary;
  }
  return values;
}

TEST_CASE("copies: any number of them, in chains and cycles") {
  std::mt19937 random(1);
  for (std::uint32_t round = 0; round < 2000; ++round) {
    const std::uint32_t places = 2 + round % 9;
    std::vector<std::uint32_t> expected(places);
    std::iota(expected.begin(), expected.end(), 0);
    std::vector<PlaceCopy> copies;
    for (std::uint32_t target = 0; target < places; ++target) {
      const auto source = static_cast<std::uint32_t>(random() % places);
      if (source == target || random() % 4 == 0) continue;
      copies.push_back({target, source});
      expected[target] = source;
    }
    std::shuffle(copies.begin(), copies.end(), random);
    CAPTURE(round);
    CHECK(after_steps(copies, places) == expected);
  }
}

TEST_CASE("copies: only cycles need the temporary") {
  CHECK(order_copies({}).empty());
  CHECK(order_copies({{1, 0}, {2, 1}, {3, 2}}).size() == 3);
  const auto swap = order_copies({{0, 1}, {1, 0}});
  REQUIRE(swap.size() == 3);
  CHECK(swap[0].what == What::kSave);
  CHECK(swap[1].what == What::kCopy);
  CHECK(swap[2].what == What::kCopySaved);
}

}  // namespace
}  // namespace transpire::test
