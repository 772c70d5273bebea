// Dominance against its definition: a block dominates another when no way from the first block
// avoids it. Random graphs, unreachable blocks included; and graphs so deep that recursion would
// not end well.
#include "decoder/view/control_flow.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "tests/fuzz/module_words.h"

namespace transpire::test {

using decoder::view::Flow;
using decoder::view::ModuleView;
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

/// Block B has the label B + 10.
std::vector<std::uint32_t> words_of(const Graph& graph) {
  const auto count = static_cast<std::uint32_t>(graph.size());
  std::vector<std::uint32_t> words{0x07230203, 0x00010000, 0, count + 10, 0};
  const auto add = [&](spv::Op op, const fuzz::Words& operands) {
    fuzz::append(words, op, operands);
  };
  add(spv::Op::OpTypeVoid, {1});
  add(spv::Op::OpTypeFunction, {2, 1});
  add(spv::Op::OpTypeBool, {3});
  add(spv::Op::OpConstantTrue, {3, 4});
  add(spv::Op::OpFunction, {1, 5, 0, 2});
  for (std::uint32_t b = 0; b < count; ++b) {
    add(spv::Op::OpLabel, {b + 10});
    const auto& to = graph[b];
    if (to.empty()) add(spv::Op::OpReturn, {});
    if (to.size() == 1) add(spv::Op::OpBranch, {to[0] + 10});
    if (to.size() == 2) add(spv::Op::OpBranchConditional, {4, to[0] + 10, to[1] + 10});
  }
  add(spv::Op::OpFunctionEnd, {});
  return words;
}

/// Which blocks can be reached from block 0 without passing `avoided`.
std::vector<bool> reached(const Graph& graph, std::uint32_t avoided) {
  std::vector<bool> seen(graph.size(), false);
  if (avoided == 0) return seen;
  std::vector<std::uint32_t> todo{0};
  seen[0] = true;
  while (!todo.empty()) {
    const std::uint32_t at = todo.back();
    todo.pop_back();
    for (const std::uint32_t to : graph[at])
      if (to != avoided && !seen[to]) {
        seen[to] = true;
        todo.push_back(to);
      }
  }
  return seen;
}

/// The first breach of the definition, or nothing.
std::string mistake(const Graph& graph) {
  const std::vector<std::uint32_t> words = words_of(graph);
  const ModuleView view(words);
  const Flow flow(view);
  const auto count = static_cast<std::uint32_t>(graph.size());
  const std::vector<bool> all = reached(graph, decoder::view::kNone);
  for (std::uint32_t a = 0; a < count; ++a) {
    const std::vector<bool> without = reached(graph, a);
    if (flow.reachable(a) != all[a])
      return fmt::format("block {}: expected reachable {}", a, bool{all[a]});
    for (std::uint32_t b = 0; b < count; ++b) {
      const bool expected = all[a] && all[b] && !without[b];
      if (flow.dominates(a, b) != expected)
        return fmt::format("expected that {} {} {}", a,
                           expected ? "dominates" : "does not dominate", b);
    }
  }
  for (std::uint32_t b = 0; b < count; ++b)
    for (const std::uint32_t to : graph[b])
      if (std::ranges::count(flow.predecessors(to), b) != 1)
        return fmt::format("expected {} once among the predecessors of {}", b, to);
  return {};
}

Graph random_graph(std::uint32_t seed) {
  std::mt19937 random(seed);
  Graph graph(1 + random() % 24);
  const auto count = static_cast<std::uint32_t>(graph.size());
  for (auto& to : graph)
    for (std::uint32_t edges = random() % 3; edges > 0; --edges)
      to.push_back(static_cast<std::uint32_t>(random() % count));
  return graph;
}

/// Blocks one after the other, with a branch back from each: every block dominates all that follow.
Graph chain(std::uint32_t count) {
  Graph graph(count);
  for (std::uint32_t b = 0; b + 1 < count; ++b) graph[b] = {b + 1, b == 0 ? 1 : b};
  return graph;
}

TEST_CASE("dominance in random graphs is what its definition says") {
  for (std::uint32_t seed = 0; seed < 20000; ++seed) {
    CAPTURE(seed);
    REQUIRE(mistake(random_graph(seed)) == "");
  }
}

TEST_CASE("dominance in 300,000 blocks in a row needs no deep stack") {
  const std::vector<std::uint32_t> words = words_of(chain(300'000));
  const ModuleView view(words);
  const Flow flow(view);
  CHECK(flow.dominates(1, 299'999));
  CHECK_FALSE(flow.dominates(299'999, 1));
}

}  // namespace
}  // namespace transpire::test
