// Dominators of a graph. Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), the
// simple version with path compression. It takes O(edges * log(vertices)) for every graph, and has no recursion: deep
// graphs need no deep stack. A graph may have several roots: a module has one per function, and a reversed function has
// one per return.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/edges.h"

namespace transpire {

/// No vertex: there is none with the wanted property.
inline constexpr std::uint32_t kNoVertex = 0xffffffffu;

/// The interface of a graph. Neighbours and roots are lists with size() and []. The search calls `work` with the number of
/// vertices and edges that it will visit next; `work` may throw to end the search.
template <class T>
concept FlowGraph = requires(const T& graph, std::uint32_t vertex, std::uint64_t steps) {
                      { graph.vertices() } -> std::convertible_to<std::size_t>;
                      { graph.successors(vertex)[0] } -> std::convertible_to<std::uint32_t>;
                      { graph.predecessors(vertex)[0] } -> std::convertible_to<std::uint32_t>;
                      { graph.roots()[0] } -> std::convertible_to<std::uint32_t>;
                      graph.work(steps);
                    };

struct ImmediateDominators {
  /// Immediate dominator of each vertex; kNoVertex if it has none, or no path from a root leads to it.
  std::vector<std::uint32_t> of;
  /// The vertices reached from the roots, in depth-first preorder.
  std::vector<std::uint32_t> reached;
};

/// The search. It numbers vertices by depth-first search from an artificial vertex 0, which has an edge to each root. A
/// parent has a lower number than its children.
template <FlowGraph Graph>
class DominatorSearch {
 public:
  explicit DominatorSearch(const Graph& graph) : graph_(graph) {}

  ImmediateDominators run() {
    number();
    find_semidominators();
    ImmediateDominators found{std::vector<std::uint32_t>(graph_.vertices(), kNoVertex), {}};
    for (std::uint32_t v = 1; v < count(); ++v) {
      if (dominator_[v] != semi_[v]) dominator_[v] = dominator_[dominator_[v]];
      if (dominator_[v] != 0) found.of[vertex_[v]] = vertex_[dominator_[v]];
    }
    vertex_.erase(vertex_.begin());
    found.reached = std::move(vertex_);
    return found;
  }

 private:
  std::uint32_t count() const { return static_cast<std::uint32_t>(vertex_.size()); }

  void number() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;  // number, next successor
    const auto visit = [&](std::uint32_t vertex, std::uint32_t parent) {
      graph_.work(graph_.successors(vertex).size() + 1);
      number_[vertex] = count();
      stack.emplace_back(count(), 0);
      vertex_.push_back(vertex);
      parent_.push_back(parent);
    };
    number_.assign(graph_.vertices(), kNoVertex);
    vertex_ = {kNoVertex};
    parent_ = {0};
    for (const std::uint32_t root : graph_.roots()) {
      if (number_[root] == kNoVertex) visit(root, 0);
      while (!stack.empty()) {
        auto& [number, next] = stack.back();
        const auto& to = graph_.successors(vertex_[number]);
        if (next == to.size()) {
          stack.pop_back();
          continue;
        }
        const std::uint32_t target = to[next++];
        if (number_[target] == kNoVertex) visit(target, number);
      }
    }
    is_root_.assign(count(), false);
    for (const std::uint32_t root : graph_.roots()) is_root_[number_[root]] = true;
  }

  void find_semidominators() {
    semi_.resize(count());
    for (std::uint32_t v = 0; v < count(); ++v) semi_[v] = v;
    label_ = semi_;
    dominator_.assign(count(), 0);
    ancestor_.assign(count(), kNoVertex);
    // Numbers by their semidominator, as lists through `next`.
    std::vector<std::uint32_t> bucket(count(), kNoVertex), next(count(), kNoVertex);
    for (std::uint32_t v = count(); v-- > 1;) {
      semi_[v] = semidominator(v);
      next[v] = std::exchange(bucket[semi_[v]], v);
      ancestor_[v] = parent_[v];
      for (auto w = std::exchange(bucket[parent_[v]], kNoVertex); w != kNoVertex; w = next[w]) {
        const std::uint32_t u = evaluate(w);
        dominator_[w] = semi_[u] < semi_[w] ? u : parent_[v];
      }
    }
  }

  std::uint32_t semidominator(std::uint32_t v) {
    if (is_root_[v]) return 0;
    const auto& sources = graph_.predecessors(vertex_[v]);
    graph_.work(sources.size() + 1);
    std::uint32_t least = semi_[v];
    for (const std::uint32_t source : sources)
      if (const std::uint32_t u = number_[source]; u != kNoVertex)
        least = std::min(least, semi_[evaluate(u)]);
    return least;
  }

  /// The number with the least semidominator on the path to `v` in the forest, without the path's root. Compresses the path.
  std::uint32_t evaluate(std::uint32_t v) {
    if (ancestor_[v] == kNoVertex) return v;
    path_.clear();
    for (std::uint32_t at = v; ancestor_[ancestor_[at]] != kNoVertex; at = ancestor_[at])
      path_.push_back(at);
    while (!path_.empty()) {
      const std::uint32_t at = path_.back();
      const std::uint32_t above = ancestor_[at];
      path_.pop_back();
      if (semi_[label_[above]] < semi_[label_[at]]) label_[at] = label_[above];
      ancestor_[at] = ancestor_[above];
    }
    return label_[v];
  }

  const Graph& graph_;
  std::vector<std::uint32_t> number_;  ///< by vertex
  std::vector<std::uint32_t> vertex_, parent_, semi_, label_, ancestor_, dominator_;
  std::vector<bool> is_root_;
  std::vector<std::uint32_t> path_;
};

template <FlowGraph Graph>
ImmediateDominators immediate_dominators(const Graph& graph) {
  return DominatorSearch(graph).run();
}

/// Dominators of the graph with these edges and roots. `predecessors` is the reverse of `successors`.
ImmediateDominators immediate_dominators(const Edges& successors, const Edges& predecessors,
                                         std::span<const std::uint32_t> roots);

/// Immediate post-dominator of each vertex: the first other vertex on all paths from it to an end (a vertex without
/// successors). kNoVertex if there is none, or no path leads to an end.
std::vector<std::uint32_t> immediate_post_dominators(const Edges& successors);

/// The dominator trees: the parent of a vertex is its immediate dominator.
class DominatorTree {
 public:
  /// Order of the children of a vertex: by their numbers, or in the order in which the search found them.
  enum class Siblings { kByNumber, kAsFound };
  DominatorTree(ImmediateDominators found, Siblings order);

  /// True if a path from a root leads to the vertex.
  bool reached(std::uint32_t vertex) const { return vertex < first_.size() && first_[vertex] != 0; }
  /// The immediate dominator; kNoVertex if there is none.
  std::uint32_t idom(std::uint32_t vertex) const {
    return vertex < idom_.size() ? idom_[vertex] : kNoVertex;
  }
  /// True if `above` dominates `below`, or is `below`. False if one of them is not reached.
  bool dominates(std::uint32_t above, std::uint32_t below) const {
    return reached(above) && reached(below) && first_[above] <= first_[below] &&
           last_[below] <= last_[above];
  }
  /// Positions in preorder, from 1, of the vertex and of the last vertex that it dominates; 0: not reached.
  std::uint32_t first(std::uint32_t vertex) const { return first_[vertex]; }
  std::uint32_t last(std::uint32_t vertex) const { return last_[vertex]; }
  /// Number of vertices that dominate this one, without itself.
  std::uint32_t level(std::uint32_t vertex) const { return level_[vertex]; }
  std::span<const std::uint32_t> children(std::uint32_t vertex) const {
    return std::span(children_).subspan(child_start_[vertex],
                                        child_start_[vertex + 1] - child_start_[vertex]);
  }
  /// All reached vertices in preorder of the trees: a vertex comes after its dominators and after the subtrees of its
  /// earlier siblings.
  std::span<const std::uint32_t> preorder() const { return preorder_; }

 private:
  void list_children(std::span<const std::uint32_t> reached);
  void walk();

  std::vector<std::uint32_t> idom_;
  std::vector<std::uint32_t> children_, child_start_;  ///< the last list has the trees' roots
  std::vector<std::uint32_t> preorder_, level_;
  std::vector<std::uint32_t> first_,
      last_;  ///< positions of a subtree in preorder, from 1; 0: not reached
};

}  // namespace transpire
