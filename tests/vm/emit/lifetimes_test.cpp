// Where registers are live for lanes that run and held for lanes that wait.
#include "vm/emit/lifetimes.h"

#include <doctest/doctest.h>

namespace transpire::test {
namespace {

using namespace vm::emission;

/// Blocks with the given targets, with room for instructions at first + 2 and first + 4.
struct Line {
  explicit Line(const std::vector<std::vector<std::uint32_t>>& targets) {
    for (std::uint32_t n = 0; n < targets.size(); ++n) {
      order.blocks.emplace_back().targets = targets[n];
      positions.push_back({10 * n + 10, 10 * n + 16, 10 * n + 18});
    }
    find_loops(&order);
  }

  Lifetime lifetime_of(const Events& events) const {
    LifetimeAnalysis analysis(order, positions);
    Lifetime lifetime;
    REQUIRE(analysis.find(events, &lifetime));
    return lifetime;
  }

  LinearOrder order;
  std::vector<BlockPositions> positions;
};

bool has(const SegmentList& segments, Position position) {
  for (const Segment& s : segments)
    if (s.from <= position && position <= s.to) return true;
  return false;
}

TEST_CASE("a value of one side of a branch is held while the other side runs") {
  // 0 -> 1, 2; both -> 3. Defined in 0 and in 1, read in 3.
  const Lifetime lifetime = Line({{1, 2}, {3}, {3}, {}}).lifetime_of({{13, 17, 27}, {42}});
  CHECK(!has(lifetime.live, 14));
  CHECK(has(lifetime.live, 17));
  // Lanes that run block 1 define it again.
  CHECK(!has(lifetime.live, 24));
  CHECK(has(lifetime.live, 27));
  CHECK(has(lifetime.live, 34));
  CHECK(has(lifetime.live, 42));
  CHECK(!has(lifetime.live, 43));
  // Waiting for block 2 while 1 runs, for 3 while 2 runs.
  CHECK(has(lifetime.held, 24));
  CHECK(has(lifetime.held, 34));
  CHECK(!has(lifetime.held, 14));
  CHECK(!has(lifetime.held, 44));
}

TEST_CASE("what leaves loops is held while all of them run") {
  // 0 -> 1; outer loop 1..4, inner loop 2..3; 2 -> 3, 5; 3 -> 2, 4; 4 -> 1.
  const Line line({{1}, {2}, {3, 5}, {2, 4}, {1}, {}});
  const Lifetime lifetime = line.lifetime_of({{37}, {62}});  // defined at the end of 2, read in 5
  CHECK(!has(lifetime.live, 34));
  CHECK(!has(lifetime.held, 14));
  for (const Position position : {22, 34, 44, 54}) CHECK(has(lifetime.held, position));
  CHECK(!has(lifetime.held, 62));
}

TEST_CASE("a loop's phi is live between its definitions only") {
  // 0 -> 1; 1 -> 2; 2 -> 1, 3. Defined at the ends of 0 and 2, read in 1.
  const Lifetime lifetime = Line({{1}, {2}, {1, 3}, {}}).lifetime_of({{17, 37}, {24}});
  CHECK(has(lifetime.live, 22));
  CHECK(!has(lifetime.live, 25));
  CHECK(!has(lifetime.live, 34));
  CHECK(has(lifetime.live, 38));
  CHECK(lifetime.held.empty());
}

TEST_CASE("a write is asked about with what is needed right after it") {
  SegmentList segments{{21, 30}, {3, 8}, {9, 12}};
  tidy(&segments);
  CHECK(segments.size() == 2);
  CHECK(needed_across(segments, 3));
  CHECK(needed_across(segments, 11));
  CHECK(!needed_across(segments, 13));
  CHECK(!needed_across(segments, 1));
  CHECK(needed_across(segments, 29));
  CHECK(!needed_across(segments, 31));
}

}  // namespace
}  // namespace transpire::test
