// Dominators by Lengauer and Tarjan ("A Fast Algorithm for Finding Dominators in a Flowgraph",
// 1979) with path compression, every walk with a stack of its own.
#include "validator/dominators.h"

#include <algorithm>
#include <utility>

namespace transpire::validator {
namespace {

/// The search. Its numbers are those of a depth-first walk from a vertex of its own, 0, from which
/// an edge leads to each root.
class Search {
 public:
  Search(const Edges& successors, const Edges& sources, std::span<const std::uint32_t> roots)
      : successors_(successors), sources_(sources), number_(successors.vertices(), kNoVertex) {
    walk(roots);
    compute(roots);
  }

  /// How many numbers there are.
  std::uint32_t count() const { return static_cast<std::uint32_t>(vertex_.size()); }
  std::uint32_t vertex(std::uint32_t number) const { return vertex_[number]; }
  /// The number of the immediate dominator; 0: there is none.
  std::uint32_t dominator(std::uint32_t number) const { return dominator_[number]; }

 private:
  void walk(std::span<const std::uint32_t> roots);
  void compute(std::span<const std::uint32_t> roots);
  std::uint32_t evaluate(std::uint32_t v);

  const Edges& successors_;
  const Edges& sources_;
  std::vector<std::uint32_t> number_;  ///< by vertex
  std::vector<std::uint32_t> vertex_, parent_, semi_, label_, ancestor_, dominator_;
  std::vector<std::uint32_t> path_;
};

void Search::walk(std::span<const std::uint32_t> roots) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;  // number, next successor
  const auto visit = [&](std::uint32_t vertex, std::uint32_t parent) {
    number_[vertex] = count();
    stack.emplace_back(count(), 0);
    vertex_.push_back(vertex);
    parent_.push_back(parent);
  };
  vertex_.push_back(kNoVertex);
  parent_.push_back(0);
  for (const std::uint32_t root : roots) {
    if (number_[root] == kNoVertex) visit(root, 0);
    while (!stack.empty()) {
      auto& [number, next] = stack.back();
      const auto to = successors_.of(vertex_[number]);
      if (next == to.size()) {
        stack.pop_back();
        continue;
      }
      const std::uint32_t target = to[next++];
      if (number_[target] == kNoVertex) visit(target, number);
    }
  }
}

/// The number of least semi-dominator on the forest's path to `v`, its root excluded; compresses
/// it.
std::uint32_t Search::evaluate(std::uint32_t v) {
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

void Search::compute(std::span<const std::uint32_t> roots) {
  semi_.resize(count());
  for (std::uint32_t v = 0; v < count(); ++v) semi_[v] = v;
  label_ = semi_;
  std::vector<bool> is_root(count(), false);
  for (const std::uint32_t root : roots) is_root[number_[root]] = true;
  dominator_.assign(count(), 0);
  ancestor_.assign(count(), kNoVertex);
  // Numbers by their semi-dominator, as lists through `next`.
  std::vector<std::uint32_t> bucket(count(), kNoVertex), next(count(), kNoVertex);
  for (std::uint32_t v = count(); v-- > 1;) {
    for (const std::uint32_t source : sources_.of(vertex_[v])) {
      const std::uint32_t u = number_[source];
      if (u != kNoVertex) semi_[v] = std::min(semi_[v], semi_[evaluate(u)]);
    }
    if (is_root[v]) semi_[v] = 0;
    next[v] = std::exchange(bucket[semi_[v]], v);
    ancestor_[v] = parent_[v];
    for (std::uint32_t w = std::exchange(bucket[parent_[v]], kNoVertex); w != kNoVertex;
         w = next[w]) {
      const std::uint32_t u = evaluate(w);
      dominator_[w] = semi_[u] < semi_[w] ? u : parent_[v];
    }
  }
  for (std::uint32_t v = 1; v < count(); ++v)
    if (dominator_[v] != semi_[v]) dominator_[v] = dominator_[dominator_[v]];
}

}  // namespace

Edges::Edges(std::size_t vertices, std::span<const Edge> edges)
    : first_(vertices + 1, 0), other_(edges.size()) {
  for (const Edge& edge : edges) ++first_[edge.from + 1];
  for (std::size_t v = 0; v < vertices; ++v) first_[v + 1] += first_[v];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const Edge& edge : edges) other_[next[edge.from]++] = edge.to;
}

Edges Edges::reversed() const {
  std::vector<Edge> edges;
  edges.reserve(other_.size());
  for (std::uint32_t v = 0; v < vertices(); ++v)
    for (const std::uint32_t other : of(v)) edges.push_back({other, v});
  return Edges(vertices(), edges);
}

DominatorTree::DominatorTree(const Edges& successors, const Edges& sources,
                             std::span<const std::uint32_t> roots)
    : immediate_(successors.vertices(), kNoVertex),
      enter_(successors.vertices(), 0),
      leave_(successors.vertices(), 0) {
  const Search found(successors, sources, roots);
  for (std::uint32_t v = 1; v < found.count(); ++v) {
    preorder_.push_back(found.vertex(v));
    if (found.dominator(v) != 0) immediate_[found.vertex(v)] = found.vertex(found.dominator(v));
  }
  number();
}

/// A vertex' interval of the walk lies within those of its dominators.
void DominatorTree::number() {
  std::vector<std::uint32_t> child(immediate_.size(), kNoVertex),
      sibling(immediate_.size(), kNoVertex);
  for (auto v = preorder_.rbegin(); v != preorder_.rend(); ++v)
    if (immediate_[*v] != kNoVertex) sibling[*v] = std::exchange(child[immediate_[*v]], *v);
  std::uint32_t clock = 0;
  std::vector<std::uint32_t> stack;
  const std::vector<std::uint32_t> found = std::exchange(preorder_, {});
  preorder_.reserve(found.size());
  const auto enter = [&](std::uint32_t vertex) {
    enter_[vertex] = ++clock;
    stack.push_back(vertex);
    preorder_.push_back(vertex);
  };
  for (const std::uint32_t root : found) {
    if (immediate_[root] != kNoVertex) continue;
    enter(root);
    while (!stack.empty()) {
      const std::uint32_t at = stack.back();
      if (const std::uint32_t down = child[at]; down != kNoVertex) {
        child[at] = sibling[down];
        enter(down);
      } else {
        leave_[at] = ++clock;
        stack.pop_back();
      }
    }
  }
}

}  // namespace transpire::validator
