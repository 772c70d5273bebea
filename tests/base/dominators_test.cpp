// Dominance against its definition: a vertex dominates another when no way from a root avoids it. Random graphs
// of several roots, with vertices that none reaches; and graphs so deep that recursion would not end well.
#include "base/dominators.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

namespace transpire::test {
namespace {

using Vertices = std::vector<std::uint32_t>;

struct Graph {
  std::uint32_t vertices;
  std::vector<Edges::Edge> edges;
  Vertices roots;
};

Graph random_graph(std::uint32_t seed) {
  std::mt19937 random(seed);
  Graph graph{static_cast<std::uint32_t>(1 + random() % 20), {}, {}};
  const auto pick = [&] { return static_cast<std::uint32_t>(random() % graph.vertices); };
  for (std::uint32_t edges = random() % (2 * graph.vertices); edges > 0; --edges)
    graph.edges.push_back({pick(), pick()});  // equal ones and circles of one vertex among them
  for (std::uint32_t roots = random() % 4; roots > 0; --roots) graph.roots.push_back(pick());
  return graph;
}

/// What is reached from the roots by ways that do not pass `avoided`.
std::vector<bool> reached(const Graph& graph, std::uint32_t avoided) {
  std::vector<bool> seen(graph.vertices, false);
  Vertices todo;
  const auto see = [&](std::uint32_t v) {
    if (v == avoided || seen[v]) return;
    seen[v] = true;
    todo.push_back(v);
  };
  for (const std::uint32_t root : graph.roots) see(root);
  while (!todo.empty()) {
    const std::uint32_t at = todo.back();
    todo.pop_back();
    for (const auto& edge : graph.edges)
      if (edge.from == at) see(edge.to);
  }
  return seen;
}

ImmediateDominators search(const Graph& graph) {
  const Edges successors(graph.vertices, graph.edges);
  return immediate_dominators(successors, successors.reversed(), graph.roots);
}

void check_by_definition(const Graph& graph, const DominatorTree& tree) {
  const std::vector<bool> all = reached(graph, kNoVertex);
  std::vector<std::uint32_t> above(graph.vertices, 0);
  for (std::uint32_t a = 0; a < graph.vertices; ++a) {
    const std::vector<bool> without = reached(graph, a);
    REQUIRE(tree.reached(a) == all[a]);
    for (std::uint32_t b = 0; b < graph.vertices; ++b) {
      const bool expected = all[a] && all[b] && !without[b];
      REQUIRE(tree.dominates(a, b) == expected);
      above[b] += expected && a != b;
    }
  }
  for (std::uint32_t v = 0; v < graph.vertices; ++v) {
    const std::uint32_t idom = tree.idom(v);
    REQUIRE((idom == kNoVertex) == (above[v] == 0));
    REQUIRE(tree.level(v) == above[v]);
    if (idom == kNoVertex) continue;
    REQUIRE(tree.dominates(idom, v));
    REQUIRE(above[idom] + 1 == above[v]);  // no other stands between the two
  }
}

/// The lists: children of each vertex, and the preorder that they make.
void check_lists(const DominatorTree& tree, std::uint32_t vertices) {
  Vertices place(vertices, kNoVertex);
  for (std::uint32_t i = 0; i < tree.preorder().size(); ++i) place[tree.preorder()[i]] = i;
  std::size_t children = 0, tops = 0;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    REQUIRE((place[v] != kNoVertex) == tree.reached(v));
    tops += tree.reached(v) && tree.idom(v) == kNoVertex;
    children += tree.children(v).size();
    std::uint32_t expected = place[v];  // the first child follows at once, others the one before
    for (const std::uint32_t child : tree.children(v)) {
      REQUIRE(tree.idom(child) == v);
      REQUIRE(place[child] == expected + 1);
      for (std::uint32_t below = 0; below < vertices; ++below)
        if (tree.dominates(child, below)) expected = std::max(expected, place[below]);
    }
  }
  REQUIRE(children + tops == tree.preorder().size());
}

TEST_CASE("dominators: random graphs against the definition") {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    const Graph graph = random_graph(seed);
    for (const auto order :
         {DominatorTree::Siblings::kByNumber, DominatorTree::Siblings::kAsFound}) {
      const DominatorTree tree(search(graph), order);
      check_by_definition(graph, tree);
      check_lists(tree, graph.vertices);
    }
  }
}

TEST_CASE("dominators: siblings by number, and as they were found") {
  const Graph graph{4, {{0, 3}, {0, 1}, {0, 2}}, {0}};
  const DominatorTree by_number(search(graph), DominatorTree::Siblings::kByNumber);
  const DominatorTree as_found(search(graph), DominatorTree::Siblings::kAsFound);
  CHECK(std::ranges::equal(by_number.preorder(), Vertices{0, 1, 2, 3}));
  CHECK(std::ranges::equal(as_found.preorder(), Vertices{0, 3, 1, 2}));
}

TEST_CASE("dominators: nothing is asked of vertices that do not exist") {
  const DominatorTree none(search({0, {}, {}}), DominatorTree::Siblings::kByNumber);
  CHECK(none.preorder().empty());
  CHECK_FALSE(none.reached(0));
  CHECK_FALSE(none.dominates(kNoVertex, kNoVertex));
  CHECK(none.idom(kNoVertex) == kNoVertex);
}

TEST_CASE("post-dominators: where all ways to an end meet") {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    const Graph graph = random_graph(seed);
    const auto found = transpire::immediate_post_dominators(Edges(graph.vertices, graph.edges));
    Graph turned{graph.vertices, {}, {}};
    std::vector<bool> leads_on(graph.vertices, false);
    for (const auto& edge : graph.edges) {
      turned.edges.push_back({edge.to, edge.from});
      leads_on[edge.from] = true;
    }
    for (std::uint32_t v = 0; v < graph.vertices; ++v)
      if (!leads_on[v]) turned.roots.push_back(v);
    REQUIRE(found.size() == graph.vertices);
    check_by_definition(turned, DominatorTree(search(turned), DominatorTree::Siblings::kAsFound));
    REQUIRE(found == search(turned).of);
  }
}

/// A row of vertices with an edge back from each: every vertex dominates all that follow.
Graph row(std::uint32_t vertices) {
  Graph graph{vertices, {}, {0}};
  for (std::uint32_t v = 0; v + 1 < vertices; ++v) {
    graph.edges.push_back({v, v + 1});
    if (v != 0) graph.edges.push_back({v + 1, v});
  }
  return graph;
}

struct Counted {
  explicit Counted(const Graph& graph, std::uint64_t limit)
      : to(graph.vertices, graph.edges), from(to.reversed()), first(graph.roots), limit(limit) {}
  std::size_t vertices() const { return to.vertices(); }
  std::span<const std::uint32_t> successors(std::uint32_t v) const {
    seen = std::max(seen, v + 1);
    return to.of(v);
  }
  std::span<const std::uint32_t> predecessors(std::uint32_t v) const { return from.of(v); }
  const Vertices& roots() const { return first; }
  void work(std::uint64_t steps) const {
    if ((done += steps) > limit) throw std::length_error("spent");
  }
  Edges to, from;
  Vertices first;
  std::uint64_t limit;
  mutable std::uint64_t done = 0;
  mutable std::uint32_t seen = 0;  ///< how far the search has come along a row
};

TEST_CASE("dominators: a deep graph needs no stack") {
  const DominatorTree tree(search(row(300'000)), DominatorTree::Siblings::kByNumber);
  CHECK(tree.dominates(1, 299'999));
  CHECK_FALSE(tree.dominates(299'999, 1));
  CHECK(tree.level(299'999) == 299'999);
}

TEST_CASE("dominators: the search says how much it does, and can be ended") {
  const Graph graph = row(1000);
  const Counted all(graph, 1'000'000);
  CHECK(immediate_dominators(all).reached.size() == 1000);
  // Each edge and each vertex once on the way down, and once on the way up, but for the root.
  CHECK(all.done == 2 * graph.edges.size() + 1999);
  const Counted few(graph, 100);
  CHECK_THROWS_AS(immediate_dominators(few), std::length_error);
  CHECK(few.seen < 50);
}

}  // namespace
}  // namespace transpire::test
